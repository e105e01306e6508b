import type { Fabric, RequestDescription, Responder } from '../fabric/fabric.js'
import type { FaultRule } from '../fabric/faults/fault.js'
import type { Heap } from '../memory/heap.js'
import type { Kernels } from '../memory/kernels.js'
import type { WorldMemory } from '../memory/world-memory.js'
import { TAKEN_WORDS } from '../ring/receive-queue.js'
import { CAUSE_NONE } from '../wire/error-cause.js'
import { HCA_SLOT } from '../wire/hca-block.js'
import { QP_SERVICE } from '../wire/queue-pair.js'
import { RELIABLE_CONNECTED } from '../wire/service-type.js'
import type { RaisedEvent } from './port/events.js'
import { hcaAddress } from './hca-table.js'
import type { PacketTransport } from './packet-transport.js'
import { migrateBoth } from './queue-pair/path-migration.js'
import { respond } from './responder/responder.js'
import { describeRequest, giveUp, suffer } from './port/suffer.js'

/**
 * The engine of one HCA, as the thread that owns it sees it: the views it works through and the
 * address of its block. What it does is in the functions of this folder, `drive` and `respond`
 * first; all its state that others may see lies in shared memory (wire/hca-block.ts).
 */
export class Hca implements Responder {
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly kernels: Kernels
  readonly heap: Heap
  readonly fabric: Fabric
  /** Place in the world. */
  readonly index: number
  /** Address of its block. */
  readonly block: number
  /** Address of its access slot (hca/access-slot.ts). */
  readonly slot: number
  /** Count of visits, for the low bits of the slot. */
  visit: number
  /** The receive taken last, as words of its entry; good until the next one is taken. */
  readonly taken: Uint32Array
  /** Why the last check failed (wire/error-cause.ts). */
  cause: number
  /** Room for a global route header, where datagrams are made up; 0 before the device is open. */
  scratch: number
  /** Memory address that the last closer look at a range gave (hca/translation.ts). */
  translated: number
  readonly i64: BigInt64Array
  /** What the user holds, by address, for events about it. */
  readonly objects: Map<number, object>
  /** Events the user has taken and not acknowledged, by address of their object. */
  readonly unacknowledged: Map<number, number>
  /** Events raised by the own thread that wait to be delivered. */
  readonly raised: RaisedEvent[]
  /** Whether the management queue pair was found ready: events or mail have come. */
  summoned: boolean
  /** What takes events and mail; set by the device. */
  attend: (() => void) | undefined
  /** Told of what is legal and yet a mistake; set by the device. */
  warn: ((text: string) => void) | undefined
  /** The transport protocol in packets, where the fabric carries packets (hca/packets). */
  packets: PacketTransport | undefined

  constructor(memory: WorldMemory, index: number, fabric: Fabric) {
    this.i32 = memory.i32
    this.u32 = memory.u32
    this.kernels = memory.kernels
    this.heap = memory.heap
    this.fabric = fabric
    this.index = index
    this.block = hcaAddress(memory.i32, index)
    this.slot = this.block + HCA_SLOT
    this.visit = 0
    this.taken = new Uint32Array(TAKEN_WORDS)
    this.cause = CAUSE_NONE
    this.scratch = 0
    this.translated = 0
    this.i64 = memory.i64
    this.objects = new Map()
    this.unacknowledged = new Map()
    this.raised = []
    this.summoned = false
    this.attend = undefined
    this.warn = undefined
    this.packets = undefined
  }

  respond(queuePair: number, entry: number): number {
    return respond(this, queuePair, entry)
  }

  driveInPackets(queuePair: number): void {
    this.packets!.drive(queuePair)
  }

  describe(queuePair: number, entry: number): RequestDescription {
    return describeRequest(this, queuePair, entry)
  }

  isReliable(queuePair: number): boolean {
    return this.i32[(queuePair + QP_SERVICE) >>> 2] === RELIABLE_CONNECTED
  }

  migrate(queuePair: number): boolean {
    return migrateBoth(this, queuePair)
  }

  giveUp(status: number): number {
    return giveUp(this, status)
  }

  suffer(fault: FaultRule): void {
    suffer(this, fault)
  }
}
