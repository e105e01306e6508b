import type { Heap } from '../../memory/heap.js'
import { ringDoorbell } from '../../ring/doorbell.js'
import { pushReady } from '../../ring/ready-list.js'
import { lock, unlock } from '../../ring/spin-lock.js'
import { EVENT_BYTES, EVENT_ENTRIES } from '../../wire/asynchronous-event.js'
import { HCA_DOORBELL, HCA_EVENT_LOCK, HCA_EVENT_RING } from '../../wire/hca-block.js'
import { HCA_EVENTS_RAISED, HCA_EVENTS_TAKEN, HCA_MANAGEMENT_QP } from '../../wire/hca-block.js'
import { QP_BYTES, QP_HCA, QP_NOTICES, QP_NUMBER } from '../../wire/queue-pair.js'
import type { Hca } from '../hca.js'

/** Number of the management queue pair, as on every port of an InfiniBand subnet. */
export const MANAGEMENT_NUMBER = 1

/** Room behind the management queue pair in which datagrams get their route header. */
const SCRATCH_BYTES = 64

/** Address of that room. */
export function scratchOf(i32: Int32Array, block: number): number {
  return (i32[(block + HCA_MANAGEMENT_QP) >>> 2]! >>> 0) + QP_BYTES
}

/** An asynchronous event as it is raised. */
export interface RaisedEvent {
  /** Number of the event (wire/asynchronous-event.ts). */
  readonly event: number
  /** Address of the object it is about, or number of the port. */
  readonly subject: number
  /** Number of the queue pair, 0 for other objects. */
  readonly number: number
}

/** Gives an HCA its management queue pair and its event ring, once. */
export function openEvents(i32: Int32Array, heap: Heap, block: number): void {
  if (i32[(block + HCA_MANAGEMENT_QP) >>> 2] !== 0) return
  const management = heap.allocate(QP_BYTES + SCRATCH_BYTES)
  i32[(management + QP_NUMBER) >>> 2] = MANAGEMENT_NUMBER
  i32[(management + QP_HCA) >>> 2] = block
  i32[(block + HCA_MANAGEMENT_QP) >>> 2] = management
  Atomics.store(i32, (block + HCA_EVENT_RING) >>> 2, heap.allocate(EVENT_ENTRIES * EVENT_BYTES)) // last
}

/**
 * Raises an event at the HCA at `block`. Its owner delivers it when it makes progress next. When
 * the ring is full the event is lost, as in an event queue that overruns. Any thread.
 */
export function raiseEvent(hca: Hca, block: number, raised: RaisedEvent): void {
  const { i32 } = hca
  if (block === hca.block) hca.raised.push(raised)
  else if (!append(i32, block, raised)) return
  summonOwner(hca, block)
}

/** Raises an event about a queue pair at its HCA. */
export function raiseQueuePairEvent(hca: Hca, queuePair: number, event: number): void {
  const number = hca.i32[(queuePair + QP_NUMBER) >>> 2]!
  raiseEvent(hca, hca.u32[(queuePair + QP_HCA) >>> 2]!, { event, subject: queuePair, number })
}

/** The same once, until the notice is cleared: `notice` is a bit of `QP_NOTICES`. */
export function raiseOnce(hca: Hca, queuePair: number, event: number, notice: number): void {
  // Of several threads that come here one finds the bit clear.
  const before = Atomics.or(hca.i32, (queuePair + QP_NOTICES) >>> 2, notice)
  if ((before & notice) === 0) raiseQueuePairEvent(hca, queuePair, event)
}

/** Has the owner of the HCA at `block` look at its events and its mail. */
export function summonOwner(hca: Hca, block: number): void {
  const management = hca.u32[(block + HCA_MANAGEMENT_QP) >>> 2]!
  if (management === 0) return
  pushReady(hca.i32, block, management)
  if (block !== hca.block) ringDoorbell(hca.i32, block + HCA_DOORBELL)
}

function append(i32: Int32Array, block: number, { event, subject, number }: RaisedEvent): boolean {
  const ring = Atomics.load(i32, (block + HCA_EVENT_RING) >>> 2) >>> 0 // set by the owner when it opens
  if (ring === 0) return false
  lock(i32, block + HCA_EVENT_LOCK)
  const raised = i32[(block + HCA_EVENTS_RAISED) >>> 2]!
  const room = raised - i32[(block + HCA_EVENTS_TAKEN) >>> 2]! < EVENT_ENTRIES
  if (room) {
    const entry = (ring + (raised & (EVENT_ENTRIES - 1)) * EVENT_BYTES) >>> 2
    i32[entry] = event
    i32[entry + 1] = subject
    i32[entry + 2] = number
    i32[(block + HCA_EVENTS_RAISED) >>> 2] = (raised + 1) | 0
  }
  unlock(i32, block + HCA_EVENT_LOCK)
  return room
}

/** Takes all events raised at the own HCA so far, oldest first per thread that raised them. */
export function takeEvents(hca: Hca): RaisedEvent[] {
  const { i32, u32, block } = hca
  const events = hca.raised.splice(0)
  const ring = u32[(block + HCA_EVENT_RING) >>> 2]!
  lock(i32, block + HCA_EVENT_LOCK)
  let taken = i32[(block + HCA_EVENTS_TAKEN) >>> 2]!
  for (; taken !== i32[(block + HCA_EVENTS_RAISED) >>> 2]!; taken = (taken + 1) | 0) {
    const entry = (ring + (taken & (EVENT_ENTRIES - 1)) * EVENT_BYTES) >>> 2
    events.push({ event: i32[entry]!, subject: u32[entry + 1]!, number: i32[entry + 2]! })
  }
  i32[(block + HCA_EVENTS_TAKEN) >>> 2] = taken
  unlock(i32, block + HCA_EVENT_LOCK)
  return events
}
