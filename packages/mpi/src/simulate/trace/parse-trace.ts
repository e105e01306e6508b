import { ImportError } from '@commworld/transport/simulated'
import type { Action, Trace, What } from './action.js'
import { type Arguments, READERS, readerOf } from './readers.js'

/** A file of a trace. */
export interface TraceFile {
  readonly name: string
  readonly text: string
}

interface Line {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly words: readonly string[]
}

const BYTE = 1
const DOUBLE = 8

/** Whether a text looks like a time-independent trace: `0 init`, `p1 send 0 1e6`. */
export function isTrace(text: string): boolean {
  const first = text.split('\n').find((line) => !isEmpty(line)) ?? ''
  return /^\s*p?\d+\s+[a-zA-Z_]+(\s|$)/.test(first)
}

/**
 * Reads a time-independent trace as SimGrid writes and replays it: lines of `rank action arguments`, for all ranks in
 * one file or in one file each.
 *
 * @throws ImportError with line and reason
 */
export function parseTrace(files: readonly TraceFile[]): Trace {
  const { name } = files[0]!
  const lines = files.flatMap(linesOf)
  if (lines.length === 0) throw new ImportError(name, 0, 'there are no actions in it')
  const numbers = lines.map(rankOf)
  const count = numbers.reduce((most, rank) => Math.max(most, rank), 0) + 1
  if (count > RANKS_MAX) {
    const last = lines[numbers.indexOf(count - 1)]!
    throw new ImportError(
      last.file,
      last.line,
      `rank ${count - 1}: a trace has at most ${RANKS_MAX}`,
    )
  }
  const ranks = Array.from({ length: count }, (): Action[] => [])
  /** Bytes of an element where the line does not say: by the rank's init. */
  const elementBytes = new Array<number>(count).fill(BYTE)
  lines.forEach((line, index) => {
    const rank = numbers[index]!
    if (line.words[1] === 'init') elementBytes[rank] = line.words.length > 2 ? DOUBLE : BYTE
    const what = whatOf(line, { rank, ranks: count, elementBytes: elementBytes[rank]! })
    const { file, line: number, text } = line
    if (what !== undefined) ranks[rank]!.push({ file, line: number, text, ...what })
  })
  const seen = new Set(numbers)
  for (let rank = 0; rank < count; rank++) {
    if (seen.has(rank)) continue
    throw new ImportError(name, 0, `rank ${rank} does nothing, and rank ${count - 1} is there`)
  }
  return { name, ranks }
}

/** More than any world in virtual time holds. */
const RANKS_MAX = 16384

function linesOf({ name, text }: TraceFile): Line[] {
  return text.split('\n').flatMap((line, index) => {
    if (isEmpty(line)) return []
    const trimmed = line.trim()
    return [{ file: name, line: index + 1, text: trimmed, words: trimmed.split(/\s+/) }]
  })
}

function isEmpty(line: string): boolean {
  return /^\s*(#|$)/.test(line)
}

function rankOf({ file, line, words: [first] }: Line): number {
  const digits = /^p?(\d{1,9})$/.exec(first!)?.[1]
  if (digits !== undefined) return Number(digits)
  throw new ImportError(file, line, `a line begins with its rank, not with '${first}'`)
}

function whatOf(
  { file, line, words }: Line,
  world: Pick<Arguments, 'rank' | 'ranks' | 'elementBytes'>,
): What | undefined {
  const [, name, ...given] = words
  const wrong = (reason: string): ImportError => new ImportError(file, line, reason)
  if (name === undefined) throw wrong('there is a rank and no action')
  const reader = readerOf(name)
  if (reader === undefined) {
    throw wrong(`there is no action '${name}'; there are ${Object.keys(READERS).join(', ')}`)
  }
  const numbers = reader.words ? [] : given.map((word) => numberOf(word, name, wrong))
  const [least, most] = reader.count(world.ranks)
  if (given.length < least || given.length > most) {
    const seen = `it has ${given.length} arguments`
    throw wrong(
      `${name} takes ${reader.usage}: ${seen}, not ${least}${most > least ? ` to ${most}` : ''}`,
    )
  }
  return reader.read({ ...world, numbers, wrong })
}

function numberOf(word: string, action: string, wrong: (reason: string) => ImportError): number {
  const number = Number(word)
  if (/^[-+]?[\d.]/.test(word) && Number.isFinite(number)) return number
  throw wrong(`${action}: '${word}' is not a number`)
}
