import { KERNELS_WASM_BASE64 } from './kernels.wasm.js'

/**
 * The element kinds of the eleven typed arrays, in the order of `ElementKind` codes 0 to 10:
 * Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float32 Float64 BigInt64 BigUint64.
 */
export const ELEMENT_CODES = [
  'i8',
  'u8',
  'u8c',
  'i16',
  'u16',
  'i32',
  'u32',
  'f32',
  'f64',
  'i64',
  'u64',
] as const
export type ElementCode = (typeof ELEMENT_CODES)[number]

/** The reductions with a kernel, by the names of the standard (MPI 4.1 section 6.9.2). */
export const REDUCTIONS = [
  'sum',
  'prod',
  'min',
  'max',
  'land',
  'lor',
  'lxor',
  'band',
  'bor',
  'bxor',
] as const
export type Reduction = (typeof REDUCTIONS)[number]

/**
 * `target[i] = lower[i] op higher[i]` for `count` elements. Arguments before the count are
 * addresses; `target` may equal `lower` or `higher`, any other overlap is undefined.
 */
export type ReductionKernel = (target: number, lower: number, higher: number, count: number) => void

type SignFree = 'i8' | 'i16' | 'i32' | 'i64'
type Ordered = Exclude<ElementCode, 'u8c'>
type ReductionExport =
  | `${'sum' | 'prod'}_${SignFree | 'f32' | 'f64' | 'u8c'}`
  | `${'min' | 'max'}_${Ordered}`
  | `${'land' | 'lor' | 'lxor' | 'band' | 'bor' | 'bxor'}_${SignFree}`

/** Kernels that move bytes. All arguments are addresses and byte counts, read as unsigned. */
export interface MoveKernels {
  /** Copies; the ranges may overlap. */
  copy(target: number, source: number, bytes: number): void
  /** Sets every byte to the low byte of `value`. */
  fill(target: number, value: number, bytes: number): void
  /** 1 when both ranges hold the same bytes, else 0. */
  equal(left: number, right: number, bytes: number): number
  /** Gathers blocks that start `strideBytes` (may be negative) apart into a packed range. */
  pack(
    target: number,
    source: number,
    blockCount: number,
    blockBytes: number,
    strideBytes: number,
  ): void
  /** Scatters a packed range into blocks that start `strideBytes` (may be negative) apart. */
  unpack(
    target: number,
    source: number,
    blockCount: number,
    blockBytes: number,
    strideBytes: number,
  ): void
}

/** Kernels of the message ring (ring/message-ring.ts): cheaper than `Atomics` in JavaScript. */
export interface RingKernels {
  /** The value of the word at `address`, acquired: `Atomics.load`. */
  acquire(address: number): number
  /** Looks up to `looks` times whether the counter at `address` has come to `goal`: 1 when it has, else 0. */
  await_count(address: number, goal: number, looks: number): number
  /** Stores a word: `Atomics.store`. */
  publish_word(address: number, value: number): void
  /** Copies a cache line of 64 bytes from `draft`, but for its first word, which becomes `word`, last. */
  publish_line(line: number, draft: number, word: number): void
  /**
   * Writes a message of a head, seven words and a payload, ends the ring behind it (`terminator` 0: it is
   * ended), stores the head last, and returns the word at `mark` as it is after that. Then it ends the
   * ring behind a next message at `later` (0: nowhere).
   */
  publish(
    line: number,
    terminator: number,
    later: number,
    mark: number,
    head: number,
    word1: number,
    word2: number,
    word3: number,
    word4: number,
    word5: number,
    word6: number,
    word7: number,
    payload: number,
    bytes: number,
  ): number
}

/** Kernel of the agreement of collectives. */
export interface AgreementKernels {
  /**
   * Compares what is said of call `number` with what was said first in the 64-bit word at `entry`:
   * 16 bits `extra` and 32 bits `facts`, which are not 0. 0 when they agree, 1 when they differ.
   */
  agree(entry: number, number: number, extra: number, facts: number): number
}

/**
 * The WebAssembly functions that work on a world's memory. Out-of-range addresses trap with a
 * `WebAssembly.RuntimeError`; callers check bounds before.
 *
 * Reductions are exported as `sum_f64` and so on; {@link reductionKernel} finds the one for an
 * operation and an element kind. Integers wrap around, `u8c` saturates at 255. Minimum and
 * maximum of floats are those of `Math.min` and `Math.max`: NaN wins, −0 is below +0; which NaN
 * bits a result has is not specified. Logical operations give 0 or 1.
 */
export type Kernels = MoveKernels &
  RingKernels &
  AgreementKernels &
  Readonly<Record<ReductionExport, ReductionKernel>>

let compiledModule: WebAssembly.Module | undefined

/** The compiled kernels; compiled once per thread, and shareable by `postMessage`. */
export function compileKernels(): WebAssembly.Module {
  // A cache of a constant: compiling takes longer than creating a small world.
  compiledModule ??= new WebAssembly.Module(Buffer.from(KERNELS_WASM_BASE64, 'base64'))
  return compiledModule
}

/** Binds the kernels to a memory, for the calling thread. */
export function instantiateKernels(
  memory: WebAssembly.Memory,
  module: WebAssembly.Module,
): Kernels {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return exports as unknown as Kernels
}

/**
 * The kernel for an operation on an element kind; `undefined` where the standard defines none
 * (logical and bit operations on floats). Look it up at set-up, not per call.
 *
 * @example
 * const sum = reductionKernel(memory.kernels, 'sum', 'f64')
 * sum?.(target, lower, higher, count)
 */
export function reductionKernel(
  kernels: Kernels,
  reduction: Reduction,
  element: ElementCode,
): ReductionKernel | undefined {
  const name = exportName(reduction, element)
  return name === undefined ? undefined : kernels[name]
}

function exportName(reduction: Reduction, element: ElementCode): ReductionExport | undefined {
  switch (reduction) {
    case 'sum':
    case 'prod':
      return `${reduction}_${element === 'u8c' ? 'u8c' : withoutSign(element)}`
    case 'min':
    case 'max':
      return `${reduction}_${element === 'u8c' ? 'u8' : element}`
    default: {
      const width = withoutSign(element)
      return width === 'f32' || width === 'f64' ? undefined : `${reduction}_${width}`
    }
  }
}

/** The kind of the same width whose kernels serve both signs. */
function withoutSign(element: ElementCode): SignFree | 'f32' | 'f64' {
  switch (element) {
    case 'u8':
    case 'u8c':
      return 'i8'
    case 'u16':
      return 'i16'
    case 'u32':
      return 'i32'
    case 'u64':
      return 'i64'
    default:
      return element
  }
}
