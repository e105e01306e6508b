/** The loops of the bandwidth programs, windows of 64 messages into 64 slots; native twin in `../native/windows.h`. */
import { waitAll, type Communicator, type Mpi, type Request } from '@commworld/mpi'

export const WINDOW = 64
const CACHE_LINE_BYTES = 64
const DATA_TAG = 100
const REPLY_TAG = 101
const REPLY_BYTES = 4

/** Memory of one rank, registered once, and the views on it for messages of one size. */
export class WindowMemory {
  readonly reply: Uint8Array
  private readonly message: Uint8Array
  private readonly slotMemory: Uint8Array

  constructor(alloc: Mpi['alloc'], maxBytes: number) {
    this.reply = alloc(Uint8Array, REPLY_BYTES)
    this.message = alloc(Uint8Array, maxBytes).fill(1)
    this.slotMemory = alloc(Uint8Array, WINDOW * slotStride(maxBytes)).fill(1)
  }

  sendView(bytes: number): Uint8Array {
    return this.message.subarray(0, bytes)
  }

  slots(bytes: number): Uint8Array[] {
    const stride = slotStride(bytes)
    return Array.from({ length: WINDOW }, (_, i) =>
      this.slotMemory.subarray(i * stride, i * stride + bytes),
    )
  }
}

/** Slots start on cache lines of their own. */
function slotStride(bytes: number): number {
  return Math.max(bytes, CACHE_LINE_BYTES)
}

export interface Traffic {
  readonly peer: number
  readonly windows: number
}

/** Sends windows of one message; the peer replies once a window. */
export function sendWindows(
  world: Communicator,
  message: Uint8Array,
  reply: Uint8Array,
  { peer, windows }: Traffic,
): void {
  const requests = new Array<Request<void>>(WINDOW)
  const to = { dest: peer, tag: DATA_TAG }
  const from = { source: peer, tag: REPLY_TAG }
  for (let w = 0; w < windows; w++) {
    for (let i = 0; i < WINDOW; i++) requests[i] = world.isend(message, to)
    waitAll(requests)
    world.recvInto(reply, from)
  }
}

export function receiveWindows(
  world: Communicator,
  slots: readonly Uint8Array[],
  reply: Uint8Array,
  { peer, windows }: Traffic,
): void {
  const requests = new Array<Request<unknown>>(WINDOW)
  const from = { source: peer, tag: DATA_TAG }
  const to = { dest: peer, tag: REPLY_TAG }
  for (let w = 0; w < windows; w++) {
    for (let i = 0; i < WINDOW; i++) requests[i] = world.irecvInto(slots[i] as Uint8Array, from)
    waitAll(requests)
    world.send(reply, to)
  }
}

/** Both sides send and receive a window at once. */
export function exchangeWindows(
  world: Communicator,
  message: Uint8Array,
  slots: readonly Uint8Array[],
  { peer, windows }: Traffic,
): void {
  const receives = new Array<Request<unknown>>(WINDOW)
  const sends = new Array<Request<void>>(WINDOW)
  const to = { dest: peer, tag: DATA_TAG }
  const from = { source: peer, tag: DATA_TAG }
  for (let w = 0; w < windows; w++) {
    for (let i = 0; i < WINDOW; i++) receives[i] = world.irecvInto(slots[i] as Uint8Array, from)
    for (let i = 0; i < WINDOW; i++) sends[i] = world.isend(message, to)
    waitAll(sends)
    waitAll(receives)
  }
}
