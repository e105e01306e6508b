import { InternalError } from '../errors/index.js'
import type { Endpoint } from '../device/endpoint.js'
import { FINISH, makeHead } from '../device/message.js'
import type { Peer } from '../device/peer.js'
import type { ReceiveRequest } from './receive-request.js'

/** Payloads for plain arrays are fetched in pieces of this size, which stay in the cache. */
const PIECE_BYTES = 64 * 1024

/** One payload on its way from the sender's memory. */
class Fetch {
  readonly receive: ReceiveRequest<unknown>
  readonly peer: Peer
  readonly address: number
  readonly key: number
  readonly request: number
  /** Staging that pieces, or the whole payload, are read into; 0 when it is read into place. */
  staged = 0
  /** Where the piece under way is read to. */
  target = 0
  /** Bytes that have arrived, and the length of the piece under way. */
  offset = 0
  pieceBytes = 0

  constructor(
    receive: ReceiveRequest<unknown>,
    peer: Peer,
    address: number,
    key: number,
    request: number,
  ) {
    this.receive = receive
    this.peer = peer
    this.address = address
    this.key = key
    this.request = request
  }
}

/**
 * The receiver's half of rendezvous: fetches payloads by RDMA READ, straight into place where the
 * target is registered and contiguous, through a staging buffer elsewhere, and then tells the sender.
 */
export class Fetches {
  readonly #endpoint: Endpoint
  readonly #underWay: (Fetch | undefined)[] = []
  readonly #freeTokens: number[] = []

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  start(
    receive: ReceiveRequest<unknown>,
    peer: Peer,
    address: number,
    key: number,
    request: number,
  ): void {
    const { counters } = this.#endpoint
    counters.fetches++
    const target = receive.target()
    if (target === 0) {
      counters.stagedCopies++
      this.#startStaged(receive, peer, address, key, request)
      return
    }
    counters.zeroCopies++
    const bytes = receive.messageBytes
    if (this.#endpoint.readAtOnce(peer, target, address, key, bytes)) {
      this.#answer(peer, request)
      receive.complete()
    } else {
      const fetch = new Fetch(receive, peer, address, key, request)
      fetch.target = target
      fetch.pieceBytes = bytes
      this.#endpoint.read(peer, target, address, key, bytes, this.#register(fetch))
    }
  }

  completed(token: number, status: number): void {
    const fetch = this.#underWay[token]!
    this.#underWay[token] = undefined
    this.#freeTokens.push(token)
    if (status !== 0) {
      if (fetch.staged !== 0) this.#endpoint.staging.free(fetch.staged)
      const broken = fetch.peer.queuePair.firstError !== undefined
      fetch.receive.fail(
        broken
          ? this.#endpoint.unreachable(fetch.peer)
          : new InternalError(`the RDMA READ of a payload failed with completion status ${status}`),
      )
    } else {
      this.#goOn(fetch)
    }
  }

  #startStaged(
    receive: ReceiveRequest<unknown>,
    peer: Peer,
    address: number,
    key: number,
    request: number,
  ): void {
    const fetch = new Fetch(receive, peer, address, key, request)
    const bytes = receive.messageBytes
    fetch.pieceBytes = receive.pieces ? Math.min(bytes, PIECE_BYTES) : bytes
    fetch.staged = this.#endpoint.staging.allocate(fetch.pieceBytes)
    fetch.target = fetch.staged
    if (this.#readPiece(fetch)) this.#goOn(fetch)
  }

  /** A piece has arrived: takes it, and those that can be read at once. */
  #goOn(fetch: Fetch): void {
    do {
      if (!this.#takePiece(fetch)) return
    } while (this.#readPiece(fetch))
  }

  /** @returns whether the next piece has been read; otherwise `completed` follows */
  #readPiece(fetch: Fetch): boolean {
    const { peer, target, key, pieceBytes } = fetch
    const from = fetch.address + fetch.offset
    if (this.#endpoint.readAtOnce(peer, target, from, key, pieceBytes)) return true
    this.#endpoint.read(peer, target, from, key, pieceBytes, this.#register(fetch))
    return false
  }

  /** @returns whether there is more to come */
  #takePiece(fetch: Fetch): boolean {
    const { receive, staged, offset, pieceBytes } = fetch
    if (staged !== 0) {
      if (receive.pieces) receive.landPiece(staged, offset, pieceBytes)
      else receive.land(staged)
    }
    fetch.offset += pieceBytes
    const rest = receive.messageBytes - fetch.offset
    if (rest > 0) {
      fetch.pieceBytes = Math.min(rest, PIECE_BYTES)
      return true
    }
    if (staged !== 0) this.#endpoint.staging.free(staged)
    this.#answer(fetch.peer, fetch.request)
    receive.complete()
    return false
  }

  #register(fetch: Fetch): number {
    const token = this.#freeTokens.pop() ?? this.#underWay.length
    this.#underWay[token] = fetch
    return token
  }

  #answer(peer: Peer, request: number): void {
    this.#endpoint.answer(peer, makeHead(FINISH, 0), request, 0)
  }
}
