import type { Session } from 'node:inspector'

/** Threads that have not stopped by then are in a call of the operating system. */
const ANSWER_MS = 250

/**
 * Stack texts of threads of this process that are running and so cannot answer for themselves, by
 * thread id. Each is stopped for some milliseconds by Node's debugger and goes on.
 */
export async function runningStacks(threadIds: readonly number[]): Promise<Map<number, string>> {
  if (threadIds.length === 0) return new Map()
  // Loaded only when somebody asks: most runs never do.
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  try {
    return await new StackReader(session, threadIds).read()
  } finally {
    session.disconnect()
  }
}

/** The part of the debugging protocol that is used here. */
type Incoming =
  | { method: 'Debugger.scriptParsed'; params: { scriptId: string; url: string } }
  | { method: 'Debugger.paused'; params: { callFrames: CallFrame[] } }

interface CallFrame {
  functionName: string
  location: { scriptId: string; lineNumber: number; columnNumber?: number }
}

class StackReader {
  readonly #session: Session
  readonly #wanted: ReadonlySet<number>
  readonly #stacks = new Map<number, string>()
  readonly #scripts = new Map<string, string>()
  readonly #threads = new Map<string, number>()
  #complete = () => {}
  #lastId = 0

  constructor(session: Session, threadIds: readonly number[]) {
    this.#session = session
    this.#wanted = new Set(threadIds)
  }

  async read(): Promise<Map<number, string>> {
    const session = this.#session
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      // Its `workerId` counts in the order of attaching; the thread's id is in the title only.
      const [, threadId] = /^\[worker (\d+)\]/.exec(params.workerInfo.title) ?? []
      this.#attached(params.sessionId, Number(threadId))
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      this.#received(params.sessionId, JSON.parse(params.message) as Incoming)
    })
    await new Promise<void>((resolve) => {
      this.#complete = resolve
      setTimeout(resolve, ANSWER_MS)
      session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    })
    await new Promise((resolve) => session.post('NodeWorker.disable', resolve))
    return this.#stacks
  }

  #attached(sessionId: string, threadId: number): void {
    if (!this.#wanted.has(threadId)) return
    this.#threads.set(sessionId, threadId)
    this.#send(sessionId, 'Debugger.enable')
    this.#send(sessionId, 'Debugger.pause')
  }

  #received(sessionId: string, message: Incoming): void {
    if (message.method === 'Debugger.scriptParsed') {
      const { scriptId, url } = message.params
      this.#scripts.set(`${sessionId} ${scriptId}`, url)
    } else if (message.method === 'Debugger.paused') {
      const lines = message.params.callFrames.map((frame) => this.#line(sessionId, frame))
      this.#stacks.set(this.#threads.get(sessionId)!, lines.join('\n'))
      this.#send(sessionId, 'Debugger.resume')
      this.#send(sessionId, 'Debugger.disable')
      if (this.#stacks.size === this.#wanted.size) this.#complete()
    }
  }

  /** As V8 writes a line of `error.stack`. */
  #line(sessionId: string, { functionName, location }: CallFrame): string {
    const url = this.#scripts.get(`${sessionId} ${location.scriptId}`) ?? ''
    const place = `${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`
    return functionName === '' ? `    at ${place}` : `    at ${functionName} (${place})`
  }

  #send(sessionId: string, method: string): void {
    const message = JSON.stringify({ id: ++this.#lastId, method })
    this.#session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
  }
}
