import { bytesOf, type TypedArray, type ElementKind } from './kinds.js'
import type { Layout } from './layout.js'

/**
 * Moves elements between an array that is seen through a datatype and a packed run of bytes.
 *
 * Elements are copied as whole integer words of 1, 2 or 4 bytes (an element of 8 is two): bits
 * arrive as they were, not-a-numbers included, and no bigint is made.
 */
type Words = Uint8Array | Uint16Array | Int32Array

/** From here on a block is moved by the engine's `set`; below, a loop is quicker. */
const LONG_RUN = 24

/**
 * Packs `count` items of a layout, used at element `offset` of `data`, into `target` from its start.
 * `target` must hold `layout.size * count` elements.
 */
export function packElements(
  target: Uint8Array,
  data: TypedArray,
  kind: ElementKind,
  offset: number,
  layout: Layout,
  count: number,
): void {
  transfer(target, data, kind, offset, layout, count * layout.size, true)
}

/**
 * Unpacks the first `elements` packed elements of `source` into the items of a layout used at element
 * `offset` of `data`. A message shorter than the memory fills the front and leaves the rest alone.
 */
export function unpackElements(
  source: Uint8Array,
  data: TypedArray,
  kind: ElementKind,
  offset: number,
  layout: Layout,
  elements: number,
): void {
  transfer(source, data, kind, offset, layout, elements, false)
}

function transfer(
  bytes: Uint8Array,
  data: TypedArray,
  kind: ElementKind,
  offset: number,
  layout: Layout,
  elements: number,
  packing: boolean,
): void {
  if (elements === 0) return
  const elementBytes = bytesOf(kind)
  const wordBytes = Math.min(elementBytes, 4)
  const wordsPerElement = elementBytes / wordBytes
  // Bytes that do not lie on a word's boundary go byte by byte.
  const aligned = bytes.byteOffset % wordBytes === 0
  const size = aligned ? wordBytes : 1
  const scale = aligned ? wordsPerElement : elementBytes
  const packed = wordsOf(size, bytes, elements * scale)
  const spread = wordsOf(size, data, data.length * scale)
  const { flat, extent, size: itemSize } = layout
  const { strided } = flat
  let done = 0
  for (let item = 0; done < elements; item++) {
    const start = (offset + item * extent) * scale
    const left = Math.min(itemSize, elements - done)
    if (strided === undefined) {
      moveRuns(
        packed,
        done * scale,
        spread,
        start,
        flat.offsets,
        flat.lengths,
        scale,
        left,
        packing,
      )
    } else {
      const block = strided.blockLength * scale
      moveBlocks(
        packed,
        done * scale,
        spread,
        start + strided.offset * scale,
        block,
        strided.stride * scale,
        left * scale,
        packing,
      )
    }
    done += left
  }
}

function moveRuns(
  packed: Words,
  at: number,
  spread: Words,
  start: number,
  offsets: readonly number[],
  lengths: readonly number[],
  scale: number,
  elements: number,
  packing: boolean,
): void {
  let left = elements * scale
  let position = at
  for (let run = 0; left > 0; run++) {
    const words = Math.min(lengths[run]! * scale, left)
    move(packed, position, spread, start + offsets[run]! * scale, words, packing)
    position += words
    left -= words
  }
}

function moveBlocks(
  packed: Words,
  at: number,
  spread: Words,
  start: number,
  block: number,
  stride: number,
  words: number,
  packing: boolean,
): void {
  const end = at + words
  let from = start
  for (let position = at; position < end; position += block) {
    move(packed, position, spread, from, Math.min(block, end - position), packing)
    from += stride
  }
}

function move(
  packed: Words,
  position: number,
  spread: Words,
  start: number,
  words: number,
  packing: boolean,
): void {
  if (words >= LONG_RUN) {
    if (packing) packed.set(spread.subarray(start, start + words), position)
    else spread.set(packed.subarray(position, position + words), start)
  } else if (packing) {
    for (let i = 0; i < words; i++) packed[position + i] = spread[start + i]!
  } else {
    for (let i = 0; i < words; i++) spread[start + i] = packed[position + i]!
  }
}

function wordsOf(wordBytes: number, view: ArrayBufferView, length: number): Words {
  const { buffer, byteOffset } = view
  if (wordBytes === 4) return new Int32Array(buffer, byteOffset, length)
  if (wordBytes === 2) return new Uint16Array(buffer, byteOffset, length)
  return new Uint8Array(buffer, byteOffset, length)
}
