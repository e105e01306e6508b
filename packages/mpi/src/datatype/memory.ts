import { ArgumentError, BufferError, CountError } from '../errors/index.js'
import { baseLayout, type Datatype } from './datatype.js'
import { isDetached } from './detached.js'
import { bytesOf, kindOf, NO_KIND, type ElementKind, type TypedArray } from './kinds.js'
import type { Layout } from './layout.js'

/**
 * Memory of one call: a typed array, or a part of one.
 *
 * - `offset`: where to begin, in elements of the array; 0 when left out
 * - `datatype`: the pattern to see the array through; single elements when left out
 * - `count`: items of `datatype`, 1 when left out; without a datatype elements, all from `offset` on
 *   when left out
 */
export type Memory =
  TypedArray | { data: TypedArray; count?: number; datatype?: Datatype; offset?: number }

/** Memory with everything filled in and checked. */
export interface ResolvedMemory {
  readonly data: TypedArray
  readonly kind: ElementKind
  /** Where the first item is used at, in elements of `data`. */
  readonly offset: number
  /** Items of the layout, or elements where there is none. */
  readonly count: number
  /** Where the elements of an item lie; undefined for plain elements. */
  readonly layout: Layout | undefined
  /** Elements that travel. */
  readonly elements: number
  /** Whether they are one piece of memory, in order. */
  readonly contiguous: boolean
  /** Where the first element that travels lies in `data.buffer`, in bytes. */
  readonly byteOffset: number
  /** Bytes that travel. */
  readonly bytes: number
}

/** Whether memory is a typed array itself, and so needs no resolving. */
export function isPlain(memory: unknown): memory is TypedArray {
  return kindOf(memory) !== NO_KIND
}

/**
 * Fills in and checks the memory argument of a call.
 *
 * @param argument - its name, for errors
 * @throws {BufferError} when it is no typed array, or the array cannot be used or is too short
 * @throws {CountError} when `count` is not possible
 * @throws {ArgumentError} when `offset` is not possible
 * @throws {DatatypeError} when the datatype was freed or is none
 */
export function resolveMemory(memory: Memory, argument = 'memory'): ResolvedMemory {
  const plainKind = kindOf(memory)
  if (plainKind !== NO_KIND) {
    const data = memory as TypedArray
    checkUsable(data, argument)
    return plain(data, plainKind, 0, data.length)
  }
  if (typeof memory !== 'object' || memory === null || !('data' in memory)) {
    throw notMemory(memory, argument)
  }
  const { data, datatype } = memory
  const kind = kindOf(data)
  if (kind === NO_KIND) throw notMemory(data, `${argument}.data`)
  checkUsable(data, `${argument}.data`)
  const offset = memory.offset ?? 0
  checkOffset(offset, data, argument)
  const layout = baseLayout(datatype)
  if (layout !== undefined) {
    return throughLayout(data, kind, offset, memory.count ?? 1, layout, argument)
  }
  const available = data.length - offset
  const count = memory.count ?? available
  if (!Number.isSafeInteger(count) || count < 0 || count > available) {
    const behind = offset === 0 ? '' : ` behind \`offset\` ${offset}`
    const expected = `an integer from 0 to ${available}, the elements of the array${behind}`
    throw new CountError({ argument: `${argument}.count`, seen: count, expected })
  }
  return plain(data, kind, offset, count)
}

/** Refuses arrays whose memory is gone or may go: detached, or of a buffer that can be resized. */
export function checkUsable(data: TypedArray, argument: string): void {
  const buffer = data.buffer as ArrayBuffer & { resizable?: boolean; growable?: boolean }
  if (buffer.resizable === true || buffer.growable === true) {
    const expected = 'an array whose buffer keeps its size'
    throw new BufferError({ argument, seen: data, expected, advice: 'Copy it with `slice()`' })
  }
  // A detached view is empty; other empty views are fine.
  if (data.length === 0 && isDetached(buffer)) {
    const expected = 'an array that was not transferred to another thread'
    throw new BufferError({ argument, seen: data, expected })
  }
}

function plain(data: TypedArray, kind: ElementKind, offset: number, count: number): ResolvedMemory {
  const elementBytes = bytesOf(kind)
  return {
    data,
    kind,
    offset,
    count,
    layout: undefined,
    elements: count,
    contiguous: true,
    byteOffset: data.byteOffset + offset * elementBytes,
    bytes: count * elementBytes,
  }
}

function throughLayout(
  data: TypedArray,
  kind: ElementKind,
  offset: number,
  count: number,
  layout: Layout,
  argument: string,
): ResolvedMemory {
  if (!Number.isSafeInteger(count) || count < 0) {
    const expected = 'an integer of at least 0'
    throw new CountError({ argument: `${argument}.count`, seen: count, expected })
  }
  const { first, end } = layout.span(count)
  if (offset + first < 0) {
    const expected = `at least ${-first}, as the datatype reaches ${-first} elements back`
    throw new ArgumentError({ argument: `${argument}.offset`, seen: offset, expected })
  }
  if (offset + end > data.length) {
    const items = count === 1 ? 'the datatype' : `${count} items of the datatype`
    const at = offset === 0 ? '' : ` from \`offset\` ${offset} on`
    const expected = `an array of at least ${offset + end} elements, which ${items} need${count === 1 ? 's' : ''}${at}`
    throw new BufferError({ argument: `${argument}.data`, seen: data, expected })
  }
  const elementBytes = bytesOf(kind)
  const elements = count * layout.size
  const { flat } = layout
  const start = offset + (flat.strided?.offset ?? flat.offsets[0]!)
  return {
    data,
    kind,
    offset,
    count,
    layout,
    elements,
    contiguous: layout.isContiguous(count),
    byteOffset: data.byteOffset + start * elementBytes,
    bytes: elements * elementBytes,
  }
}

function checkOffset(offset: number, data: TypedArray, argument: string): void {
  if (Number.isSafeInteger(offset) && offset >= 0 && offset <= data.length) return
  const expected = `an integer from 0 to ${data.length}, the elements of the array`
  throw new ArgumentError({ argument: `${argument}.offset`, seen: offset, expected })
}

function notMemory(seen: unknown, argument: string): BufferError {
  const expected = 'a typed array, or { data, count, datatype, offset } with one'
  const advice = adviceFor(seen)
  return new BufferError({
    argument,
    seen,
    expected,
    ...(advice === undefined ? {} : { advice }),
  })
}

function adviceFor(seen: unknown): string | undefined {
  if (Array.isArray(seen)) return 'Make one with `Float64Array.from(array)`'
  if (seen instanceof DataView) {
    return 'Make one with `new Uint8Array(view.buffer, view.byteOffset, view.byteLength)`'
  }
  if (seen instanceof ArrayBuffer || seen instanceof SharedArrayBuffer) {
    return 'Make one with `new Uint8Array(buffer)`'
  }
  if (typeof seen === 'number' || typeof seen === 'bigint' || typeof seen === 'string') {
    return 'Values travel by the forms without Into'
  }
  return undefined
}
