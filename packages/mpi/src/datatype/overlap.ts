import type { Layout } from './layout.js'

/**
 * Whether `count` items of a layout touch an element twice. That is fine to send from, and an error
 * to receive into (MPI 4.1, 3.2.1): which of the two stays would be chance.
 */
export function overlapsItself(layout: Layout, count: number): boolean {
  if (count === 0 || layout.size === 0) return false
  const { strided, trueLowerBound, trueEnd } = layout.flat
  if (strided === undefined) {
    if (itemOverlaps(layout)) return true
  } else if (strided.count > 1 && strided.stride < strided.blockLength) return true
  if (count === 1) return false
  const touched = trueEnd - trueLowerBound
  const distance = Math.abs(layout.extent)
  if (distance >= touched) return false
  if (distance === 0) return true
  // Items interleave: only whole distances up to the touched length can bring two of them together.
  const last = Math.min(count - 1, Math.floor((touched - 1) / distance))
  const cached = disjointUpTo.get(layout) ?? 0
  for (let items = cached + 1; items <= last; items++) {
    if (shiftedOverlaps(layout, items * distance)) return true
    disjointUpTo.set(layout, items)
  }
  return false
}

/** What was found out, as the same type is received into again and again. */
const disjointUpTo = new WeakMap<Layout, number>()
const itemOverlap = new WeakMap<Layout, boolean>()

function itemOverlaps(layout: Layout): boolean {
  let overlaps = itemOverlap.get(layout)
  if (overlaps === undefined) {
    const runs = sortedRuns(layout)
    overlaps = runs.some((run, i) => i > 0 && run.start < runs[i - 1]!.end)
    itemOverlap.set(layout, overlaps)
  }
  return overlaps
}

/** Whether an item meets itself when it is moved by `distance` elements. */
function shiftedOverlaps(layout: Layout, distance: number): boolean {
  const { strided } = layout.flat
  if (strided !== undefined) {
    const { count, blockLength, stride } = strided
    const blocks = Math.floor(distance / stride)
    const rest = distance - blocks * stride
    // The moved block lies between two that stand: it meets the left one or reaches the right one.
    const meetsLeft = blocks < count && rest < blockLength
    const meetsRight = blocks + 1 < count && stride - rest < blockLength
    return meetsLeft || meetsRight
  }
  const runs = sortedRuns(layout)
  let other = 0
  for (const { start, end } of runs) {
    while (other < runs.length && runs[other]!.end <= start + distance) other++
    if (other === runs.length) return false
    if (runs[other]!.start < end + distance) return true
  }
  return false
}

interface Run {
  readonly start: number
  readonly end: number
}

function sortedRuns(layout: Layout): readonly Run[] {
  let runs = sorted.get(layout)
  if (runs === undefined) {
    const { offsets, lengths } = layout.flat
    runs = offsets
      .map((start, i) => ({ start, end: start + lengths[i]! }))
      .toSorted((a, b) => a.start - b.start)
    sorted.set(layout, runs)
  }
  return runs
}

const sorted = new WeakMap<Layout, readonly Run[]>()
