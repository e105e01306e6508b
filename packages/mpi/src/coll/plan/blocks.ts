import type { Request } from '../../p2p/request.js'
import type { Side } from './buffer.js'

/**
 * The blocks that a plan moves, bound to what a caller gave: memory, or values. Buffers and indices
 * are those of the plan.
 */
export interface Blocks {
  /** @returns the request, unless the message is gone already */
  send(peer: number, buffer: number, index: number, count: number): Request<void> | undefined
  receive(peer: number, buffer: number, index: number, count: number): Request<unknown>
  /** What `receive` has brought; called once, when it is complete. */
  received(request: Request<unknown>, buffer: number, index: number, count: number): void
  /** A receive to be folded, which must not touch the block before it is complete. */
  receiveAside(peer: number, buffer: number, index: number, count: number): Request<unknown>
  foldReceived(
    request: Request<unknown>,
    buffer: number,
    index: number,
    count: number,
    side: Side,
  ): void
  copy(from: number, index: number, to: number, toIndex: number, count: number): void
  reduce(from: number, index: number, to: number, toIndex: number, count: number, side: Side): void

  /** Makes ready what peers will reach for; before the first stage is published. */
  expose(): void
  get(peer: number, from: number, index: number, to: number, toIndex: number, count: number): void
  getReduce(
    peer: number,
    from: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: Side,
  ): void
  put(peer: number, from: number, index: number, to: number, toIndex: number, count: number): void
  /** This rank begins and ends the operations of `once`; the result lies where the second says. */
  endOnce(): number

  /** All is done: brings what the caller is to get to where he wants it. */
  finish(): void
  /** Done or failed: gives back what was taken for the call. */
  release(): void
}
