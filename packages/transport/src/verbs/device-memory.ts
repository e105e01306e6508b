import type { Hca } from '../hca/hca.js'
import { demand, demandUnused } from '../hca/verbs-error.js'

/** Copies in and out go by words. */
const COPY_ALIGNMENT = 4
const ALIGNMENT_LOG_MAX = 16

/**
 * Memory on the device (ibv_alloc_dm.3): reached by copies in and out, and by requests through a
 * zero-based region.
 */
export class DeviceMemory {
  readonly #hca: Hca
  readonly #address: number
  readonly bytes: number
  #regions = 0
  #freed = false

  /** Made by `Device.allocateDeviceMemory`. */
  constructor(hca: Hca, bytes: number, alignmentLog: number) {
    demand(Number.isInteger(bytes) && bytes > 0, `${bytes} bytes is no size of a device memory`)
    const fits =
      Number.isInteger(alignmentLog) && alignmentLog >= 0 && alignmentLog <= ALIGNMENT_LOG_MAX
    demand(fits, `an alignment of 2 to ${alignmentLog} is not possible`)
    this.#hca = hca
    this.bytes = bytes
    this.#address = hca.heap.allocate(bytes, 2 ** alignmentLog)
  }

  /** Copies to the device (ibv_memcpy_to_dm.3). @throws {VerbsError} EINVAL: beyond it, or not by words */
  copyIn(offset: number, data: Uint8Array): void {
    this.#demandRange(offset, data.length, COPY_ALIGNMENT)
    new Uint8Array(this.#hca.i32.buffer).set(data, this.#address + offset)
  }

  /** Copies from the device (ibv_memcpy_from_dm.3). @throws {VerbsError} EINVAL: as `copyIn` */
  copyOut(offset: number, bytes: number): Uint8Array {
    this.#demandRange(offset, bytes, COPY_ALIGNMENT)
    const start = this.#address + offset
    return new Uint8Array(this.#hca.i32.buffer).slice(start, start + bytes)
  }

  /** Called by a region over part of it. */
  use(offset: number, bytes: number): { address: number; released: () => void } {
    this.#demandRange(offset, bytes, 1)
    this.#regions++
    return { address: this.#address + offset, released: () => this.#regions-- }
  }

  /** @throws {VerbsError} EBUSY while a region is registered over it */
  free(): void {
    if (this.#freed) return
    demandUnused(this.#regions, 'the device memory', 'regions over it')
    this.#freed = true
    this.#hca.heap.free(this.#address)
  }

  #demandRange(offset: number, bytes: number, alignment: number): void {
    demand(!this.#freed, 'the device memory was freed')
    const whole = offset % alignment === 0 && bytes % alignment === 0
    demand(whole, `${bytes} bytes at ${offset} are not whole words`)
    const inside = offset >= 0 && bytes >= 0 && offset + bytes <= this.bytes
    demand(inside, `${bytes} bytes at ${offset} reach beyond ${this.bytes}`)
  }
}
