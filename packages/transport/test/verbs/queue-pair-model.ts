/**
 * A reference model of two connected queue pairs in plain objects: what completes, with which status,
 * and what lies in memory, when everything has come to rest after each step. RC, with retries for
 * ever after receiver-not-ready.
 */
export type Step =
  | { kind: 'receive'; side: 0 | 1; id: number; room: number }
  | { kind: 'send'; side: 0 | 1; id: number; bytes: number }
  | {
      kind: 'write' | 'read'
      side: 0 | 1
      id: number
      offset: number
      bytes: number
      badKey: boolean
    }
  | { kind: 'add'; side: 0 | 1; id: number; misaligned: boolean }
  | { kind: 'break'; side: 0 | 1 }
  | { kind: 'reconnect' }

type Request = Exclude<Step, { kind: 'receive' | 'break' | 'reconnect' }>

export const MODEL_BYTES = 256
/** Where the counter of the atomics lies. */
export const COUNTER = MODEL_BYTES

class ModelSide {
  state: 'ready' | 'error' = 'ready'
  receives: { id: number; room: number }[] = []
  requests: Request[] = []
  memory = Array<number>(MODEL_BYTES).fill(0)
  counter = 0
  sent: string[] = []
  received: string[] = []
}

export class QueuePairModel {
  readonly sides = [new ModelSide(), new ModelSide()] as const

  apply(step: Step): void {
    if (step.kind === 'reconnect') return this.#reconnect()
    const own = this.sides[step.side]
    if (step.kind === 'break') {
      this.#fail(own)
    } else if (step.kind === 'receive') {
      if (own.state === 'error') own.received.push(`${step.id} flushed`)
      else own.receives.push({ id: step.id, room: step.room })
    } else {
      if (own.state === 'error') own.sent.push(`${step.id} flushed`)
      else own.requests.push(step)
    }
    for (const side of [0, 1, 0] as const) this.#progress(side)
  }

  #progress(side: 0 | 1): void {
    const [own, peer] = [this.sides[side], this.sides[1 - side]!]
    while (own.state === 'ready' && own.requests.length > 0) {
      const status = this.#carry(own, peer, own.requests[0]!)
      if (status === undefined) return
      own.sent.push(`${own.requests.shift()!.id} ${status}`)
      if (status !== 'success') this.#fail(own)
    }
  }

  /** Status for the requester; undefined while it waits for a receive. */
  #carry(own: ModelSide, peer: ModelSide, request: Request): string | undefined {
    if (peer.state !== 'ready') return 'retryExceeded'
    switch (request.kind) {
      case 'send': {
        const receive = peer.receives[0]
        if (receive === undefined) return undefined
        peer.receives.shift()
        if (request.bytes <= receive.room) {
          peer.received.push(`${receive.id} success`)
          return 'success'
        }
        peer.received.push(`${receive.id} localLengthError`)
        this.#fail(peer)
        return 'remoteInvalidRequest'
      }
      case 'add':
        if (request.misaligned) {
          this.#fail(peer)
          return 'remoteInvalidRequest'
        }
        peer.counter++
        return 'success'
      default: {
        if (request.badKey && request.bytes > 0) {
          this.#fail(peer)
          return 'remoteAccessError'
        }
        const { offset, bytes } = request
        const [from, to] = request.kind === 'write' ? [own, peer] : [peer, own]
        to.memory.splice(offset, bytes, ...from.memory.slice(offset, offset + bytes))
        return 'success'
      }
    }
  }

  #fail(side: ModelSide): void {
    side.state = 'error'
    for (const { id } of side.requests.splice(0)) side.sent.push(`${id} flushed`)
    for (const { id } of side.receives.splice(0)) side.received.push(`${id} flushed`)
  }

  #reconnect(): void {
    for (const side of this.sides) {
      side.state = 'ready'
      side.receives = []
      side.requests = []
    }
  }
}
