import {
  HEAP_FIRST_ADDRESS,
  WORLD_LAYOUT_VERSION,
  WORLD_LAYOUT_VERSION_WORD,
  WORLD_MAGIC,
  WORLD_MAGIC_WORD,
  WORLD_PAGE_COUNT_WORD,
} from '../wire/world-header.js'
import { MemoryUnavailable } from './errors.js'
import { Heap } from './heap.js'
import { compileKernels, instantiateKernels } from './kernels.js'
import type { Kernels } from './kernels.js'

const PAGE_BYTES = 65_536

/** Largest possible memory: addresses are unsigned 32-bit numbers. */
export const WORLD_MEMORY_BYTES_MAX = 2 ** 32
/** Smallest possible memory: one page. */
export const WORLD_MEMORY_BYTES_MIN = PAGE_BYTES

/** What another thread needs to attach: travels in `workerData` or by `postMessage`. */
export interface SharedWorldMemory {
  readonly memory: WebAssembly.Memory
  readonly module: WebAssembly.Module
}

/**
 * The physical memory of a world, as one thread sees it. All threads of a world share the bytes;
 * views, kernels and the heap object are the thread's own, made once. An address is a byte offset
 * into `buffer`, unsigned; the views below 2 GiB are as fast as on a small buffer.
 *
 * The memory is created at its full size and never grows; untouched pages cost nothing. Bytes
 * 0..63 are unused, so that address 0 can mean "none"; the world header follows
 * (`wire/world-header.ts`), then the heap.
 *
 * @example
 * const memory = WorldMemory.create({ bytes: 64 * 2 ** 20 })
 * const address = memory.heap.allocate(80)
 * memory.f64[address / 8] = 1
 */
export class WorldMemory {
  /** What other threads attach to. */
  readonly shared: SharedWorldMemory
  readonly buffer: SharedArrayBuffer
  readonly u8: Uint8Array<SharedArrayBuffer>
  readonly i32: Int32Array<SharedArrayBuffer>
  readonly u32: Uint32Array<SharedArrayBuffer>
  readonly f64: Float64Array<SharedArrayBuffer>
  readonly i64: BigInt64Array<SharedArrayBuffer>
  readonly kernels: Kernels
  readonly heap: Heap

  private constructor(shared: SharedWorldMemory, kernels?: Kernels) {
    const buffer = shared.memory.buffer as SharedArrayBuffer
    worldBuffers.add(buffer)
    this.shared = shared
    this.buffer = buffer
    this.u8 = new Uint8Array(buffer)
    this.i32 = new Int32Array(buffer)
    this.u32 = new Uint32Array(buffer)
    this.f64 = new Float64Array(buffer)
    this.i64 = new BigInt64Array(buffer)
    this.kernels = kernels ?? instantiateKernels(shared.memory, shared.module)
    this.heap = new Heap(this.i32, this.kernels)
  }

  /**
   * Creates and lays out a memory.
   *
   * @param options.bytes size, rounded up to pages of 64 KiB; 64 KiB to 4 GiB.
   * @throws {MemoryUnavailable} the size is impossible, or the system refuses it (for example
   * under a limited address space).
   */
  static create({ bytes }: { bytes: number }): WorldMemory {
    if (!(bytes >= 1 && bytes <= WORLD_MEMORY_BYTES_MAX)) {
      throw new MemoryUnavailable(bytes, `the size must be from 1 to ${WORLD_MEMORY_BYTES_MAX}`)
    }
    const world = new WorldMemory({ memory: reserve(bytes), module: compileKernels() })
    world.layOut()
    return world
  }

  /** Makes the calling thread's view of a memory that another thread created. */
  static attach(shared: SharedWorldMemory): WorldMemory {
    return new WorldMemory(shared)
  }

  /** Whether a buffer is the memory of a world, of this one or another, still running or not. */
  static isWorldMemory(buffer: ArrayBufferLike): boolean {
    return worldBuffers.has(buffer)
  }

  /** Size of the memory in bytes. */
  get byteLength(): number {
    return this.buffer.byteLength
  }

  /** Whether a view lies in this memory; its address is then its `byteOffset`. */
  owns(view: ArrayBufferView): boolean {
    return view.buffer === this.buffer
  }

  /**
   * Returns the memory to the state after `create`, clearing only what was ever allocated. For a
   * world that has ended: no other thread may use the memory.
   */
  reset(): void {
    this.kernels.fill(0, 0, this.heap.highWaterAddress)
    this.layOut()
  }

  /**
   * The same memory for another world, under a buffer object of its own: views that the ended
   * world left behind are not taken for memory of the next one. Precondition: it was reset.
   */
  renewed(): WorldMemory {
    this.shared.memory.grow(0) // changes nothing but the buffer object
    return new WorldMemory(this.shared, this.kernels)
  }

  private layOut(): void {
    const { i32 } = this
    i32[WORLD_MAGIC_WORD >> 2] = WORLD_MAGIC
    i32[WORLD_LAYOUT_VERSION_WORD >> 2] = WORLD_LAYOUT_VERSION
    i32[WORLD_PAGE_COUNT_WORD >> 2] = this.byteLength / PAGE_BYTES
    this.heap.layOut(HEAP_FIRST_ADDRESS, this.byteLength)
  }
}

/** The buffers of all worlds that this thread has seen. */
const worldBuffers = new WeakSet<ArrayBufferLike>()

/** The size in bytes that a memory of at least `bytes` bytes gets. */
export function roundedToPages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES
}

function reserve(bytes: number): WebAssembly.Memory {
  const pages = roundedToPages(bytes) / PAGE_BYTES
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    // Measured on Node 20: under 8 GB of address space a memory of 1 MiB is refused as well.
    const reason =
      `the system refused it (${detail}); where the address space is limited (ulimit -v), note ` +
      `that V8 reserves about 10 GiB of it for a memory of any size unless node runs with ` +
      `--disable-wasm-trap-handler`
    throw new MemoryUnavailable(bytes, reason, { cause })
  }
}
