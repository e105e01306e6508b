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
    const fetch = new Fetch(receive, peer, address, key, request)
    const token = this.#freeTokens.pop() ?? this.#underWay.length
    this.#underWay[token] = fetch
    const bytes = receive.messageBytes
    const target = receive.target()
    if (target !== 0) {
      fetch.pieceBytes = bytes
      this.#endpoint.counters.zeroCopies++
      this.#endpoint.read(peer, target, address, key, bytes, token)
    } else {
      fetch.pieceBytes = receive.pieces ? Math.min(bytes, PIECE_BYTES) : bytes
      fetch.staged = this.#endpoint.staging.allocate(fetch.pieceBytes)
      this.#endpoint.counters.stagedCopies++
      this.#endpoint.read(peer, fetch.staged, address, key, fetch.pieceBytes, token)
    }
  }

  completed(token: number, status: number): void {
    const fetch = this.#underWay[token]!
    if (status !== 0) {
      this.#end(token, fetch)
      fetch.receive.fail(
        new InternalError(`the RDMA READ of a payload failed with completion status ${status}`),
      )
    } else if (fetch.staged === 0) {
      this.#end(token, fetch)
      this.#answer(fetch)
      fetch.receive.complete()
    } else {
      this.#takePiece(token, fetch)
    }
  }

  #takePiece(token: number, fetch: Fetch): void {
    const { receive, staged, offset, pieceBytes } = fetch
    if (receive.pieces) receive.landPiece(staged, offset, pieceBytes)
    else receive.land(staged)
    fetch.offset += pieceBytes
    const rest = receive.messageBytes - fetch.offset
    if (rest > 0) {
      fetch.pieceBytes = Math.min(rest, PIECE_BYTES)
      const from = fetch.address + fetch.offset
      this.#endpoint.read(fetch.peer, staged, from, fetch.key, fetch.pieceBytes, token)
    } else {
      this.#end(token, fetch)
      this.#answer(fetch)
      receive.complete()
    }
  }

  #answer(fetch: Fetch): void {
    this.#endpoint.answer(fetch.peer, makeHead(FINISH, 0), fetch.request, 0)
  }

  #end(token: number, fetch: Fetch): void {
    if (fetch.staged !== 0) this.#endpoint.staging.free(fetch.staged)
    this.#underWay[token] = undefined
    this.#freeTokens.push(token)
  }
}
