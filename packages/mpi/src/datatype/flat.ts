/** A repetition: `count` times, `stride` elements apart. */
export interface Loop {
  readonly count: number
  readonly stride: number
}

/** Equal blocks at equal, ascending distances; `count` is 1 for a single run and 0 for nothing at all. */
export interface Strided {
  readonly offset: number
  readonly count: number
  readonly blockLength: number
  readonly stride: number
}

/**
 * The elements of one item in the order they travel, as runs: `lengths[i]` elements from `offsets[i]`.
 * Neighbours that touch are one run. A strided shape is kept as that and lists no runs, so a column
 * of a million rows costs nothing.
 */
export interface Flat {
  readonly strided: Strided | undefined
  readonly offsets: readonly number[]
  readonly lengths: readonly number[]
  /** First element touched, and the one behind the last. */
  readonly trueLowerBound: number
  readonly trueEnd: number
}

interface Repeated {
  readonly base: { readonly flat: Flat } | undefined
  readonly loops: readonly Loop[]
  readonly offset: number
}

export function flatten({ base, loops, offset }: Repeated): Flat {
  const flat = base?.flat ?? SINGLE
  if (flat.strided === undefined)
    return fromRuns(offsetsOf(loops, offset), flat.offsets, flat.lengths)
  const inner = flat.strided
  const all = [...loops, { count: inner.count, stride: inner.stride }]
  if (all.some(({ count }) => count === 0)) return EMPTY
  return fromLoops(all, offset + inner.offset, inner.blockLength)
}

function fromLoops(loops: readonly Loop[], offset: number, block: number): Flat {
  const kept: Loop[] = [] // innermost first
  let blockLength = block
  for (const loop of loops.toReversed()) {
    if (loop.count === 1) continue
    const inner = kept.at(-1)
    if (inner === undefined && loop.stride === blockLength) blockLength *= loop.count
    else if (inner !== undefined && loop.stride === inner.count * inner.stride) {
      kept[kept.length - 1] = { count: loop.count * inner.count, stride: inner.stride }
    } else kept.push(loop)
  }
  const [only] = kept
  if (only === undefined) return fromStrided({ offset, count: 1, blockLength, stride: blockLength })
  // Blocks that run backwards or lie on each other stay a list: the kernels walk upwards.
  if (kept.length === 1 && only.stride > 0) return fromStrided({ offset, blockLength, ...only })
  return fromRuns(offsetsOf(kept.toReversed(), offset), [0], [blockLength])
}

function fromStrided(strided: Strided): Flat {
  const { offset, count, blockLength, stride } = strided
  const trueEnd = offset + (count - 1) * stride + blockLength
  return { strided, offsets: [], lengths: [], trueLowerBound: offset, trueEnd }
}

/** The same runs at each of the starts, joined where they touch. */
function fromRuns(
  starts: readonly number[],
  runOffsets: readonly number[],
  runLengths: readonly number[],
): Flat {
  const offsets: number[] = []
  const lengths: number[] = []
  let trueLowerBound = Infinity
  let trueEnd = -Infinity
  let behind = NaN
  for (const start of starts) {
    for (let run = 0; run < runOffsets.length; run++) {
      const offset = start + runOffsets[run]!
      const length = runLengths[run]!
      trueLowerBound = Math.min(trueLowerBound, offset)
      trueEnd = Math.max(trueEnd, offset + length)
      if (behind === offset) lengths[lengths.length - 1]! += length
      else {
        offsets.push(offset)
        lengths.push(length)
      }
      behind = offset + length
    }
  }
  if (offsets.length === 0) return EMPTY
  if (offsets.length === 1) {
    const blockLength = lengths[0]!
    return fromStrided({ offset: offsets[0]!, count: 1, blockLength, stride: blockLength })
  }
  return { strided: undefined, offsets, lengths, trueLowerBound, trueEnd }
}

/** Where each repetition starts, in the order of the loops. */
function offsetsOf(loops: readonly Loop[], offset: number): number[] {
  let offsets = [offset]
  for (const { count, stride } of loops) {
    offsets = offsets.flatMap((start) =>
      Array.from({ length: count }, (_, i) => start + i * stride),
    )
  }
  return offsets
}

const SINGLE: Flat = fromStrided({ offset: 0, count: 1, blockLength: 1, stride: 1 })

const EMPTY: Flat = {
  strided: { offset: 0, count: 0, blockLength: 0, stride: 0 },
  offsets: [],
  lengths: [],
  trueLowerBound: 0,
  trueEnd: 0,
}
