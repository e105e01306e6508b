import { readdirSync } from 'node:fs'

/** What V8 prints before it aborts the process; from here on it is of use only to the library's authors. */
const ABORT_MARKS = [
  '\n<--- Last few GCs --->',
  '<--- Last few GCs --->',
  'FATAL ERROR:',
  '#\n# Fatal ',
]

/**
 * What the job's process writes to its own standard error, which is little: programs' output goes
 * another way. Passes it on, but keeps V8's pages about an abort for the report.
 */
export class AbortWords {
  readonly #pass: (text: string) => void
  #kept = ''
  /** The beginning of a line that may become a mark. */
  #begun = ''

  constructor(pass: (text: string) => void) {
    this.#pass = pass
  }

  get heapWasFull(): boolean {
    return this.#kept.includes('heap out of memory')
  }

  get addressSpaceWasFull(): boolean {
    return this.#kept.includes('Failed to reserve virtual memory')
  }

  /** All that was kept. */
  get text(): string {
    return this.#kept.trim()
  }

  add(text: string): void {
    const all = this.#begun + text
    this.#begun = ''
    if (this.#kept !== '') {
      this.#kept += all
      return
    }
    const mark = Math.min(...ABORT_MARKS.map((words) => positionOf(words, all)))
    if (mark < all.length) this.#kept = all.slice(mark)
    const before = all.slice(0, mark)
    const lastLine = mark < all.length ? before.length : before.lastIndexOf('\n') + 1
    const mayBecomeMark = ABORT_MARKS.some((words) => words.startsWith(before.slice(lastLine)))
    const end = mayBecomeMark ? lastLine : before.length
    this.#begun = before.slice(end)
    if (end > 0) this.#pass(before.slice(0, end))
  }

  end(): void {
    if (this.#begun !== '') this.#pass(this.#begun)
    this.#begun = ''
  }
}

function positionOf(words: string, text: string): number {
  const position = text.indexOf(words)
  return position < 0 ? text.length : position
}

/**
 * The rank whose thread made the process abort, out of the name of Node's report about it
 * (`report.<date>.<time>.<process>.<thread>.<number>.json`); ranks are threads 1, 2, ... in order.
 */
export function abortedRank(reportFolder: string): number | undefined {
  try {
    const thread = readdirSync(reportFolder)
      .map((name) => /^report\.\d+\.\d+\.\d+\.(\d+)\.\d+\.json$/.exec(name)?.[1])
      .find((number) => number !== undefined)
    return thread === undefined || thread === '0' ? undefined : Number(thread) - 1
  } catch {
    return undefined
  }
}
