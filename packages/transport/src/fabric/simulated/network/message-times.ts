import { twice } from '../../../memory/twice.js'

/** What the network tells of each message under way, by its number. Numbers are the driver's. */
export class MessageTimes {
  /** When it was handed to the interface. */
  readyAt = new Float64Array(256)
  /** Latency of the way. */
  latency = new Float64Array(256)
  /** Time that it waited for others: at interfaces, or because links were shared. */
  contention = new Float64Array(256)
  /** How long its bytes keep an interface busy. */
  bytesTime = new Float64Array(256)
  /** The host that it goes to. */
  dest = new Int32Array(256)
  source = new Int32Array(256)

  get capacity(): number {
    return this.readyAt.length
  }

  /** Makes room for twice as many. */
  grow(): void {
    this.readyAt = twice(this.readyAt)
    this.latency = twice(this.latency)
    this.contention = twice(this.contention)
    this.bytesTime = twice(this.bytesTime)
    this.dest = twice(this.dest)
    this.source = twice(this.source)
  }
}
