import { ceilLog } from './logarithm.js'

/** What a rank does in a round: it sends to the rank `skip` above and receives from that below. */
export interface CirculantRound {
  readonly skip: number
  /** Blocks that it sends and receives; below 0 for none. */
  readonly given: number
  readonly taken: number
}

/**
 * The circulant graph of a number of ranks, with rank 0 as the root: skips[q] = p and each lower one
 * is half of it, rounded up. A rank is a sum of different skips, the largest possible first; the index
 * of the smallest is its *base block*, the one block that it receives in the first phase.
 */
interface CirculantGraph {
  readonly skips: readonly number[]
  /** By rank; q for the root. */
  readonly bases: readonly number[]
  /** By rank, as far as it was asked for: what it receives in each round of a phase. */
  readonly received: (readonly number[] | undefined)[]
}

/** Rounds until all ranks have all blocks. */
export function broadcastRounds(size: number, blocks: number): number {
  return size === 1 ? 0 : blocks - 1 + ceilLog(size, 2)
}

/**
 * Round k of a broadcast of n blocks from rank 0 (Träff 2024). The same q rounds come again and again,
 * each time q blocks further on, and end with a whole phase; in the first one there is nothing yet
 * where a block would be below 0, and in the last one block n - 1 stands for those that would follow it.
 */
export function circulantBroadcast(
  k: number,
  { size, rank, blocks }: { readonly size: number; readonly rank: number; readonly blocks: number },
): CirculantRound {
  const graph = graphOf(size)
  const q = graph.skips.length - 1
  const round = k + ((q - ((blocks - 1) % q)) % q)
  const inPhase = round % q
  const ahead = round - inPhase - (round - k)
  const skip = graph.skips[inPhase]!
  const blockOf = (other: number): number =>
    other === 0 ? -1 : Math.min(receivedBy(other, graph)[inPhase]! + ahead, blocks - 1)
  return { skip, given: blockOf((rank + skip) % size), taken: blockOf(rank) }
}

/**
 * What a rank receives in each round of a phase. In round k it comes from a rank whose number is
 * between skips[k] and skips[k + 1] below: the largest base block there that it has not had in another
 * round. It is one of the phase before, q lower, but for the rank's own base block, which is new.
 */
function receivedBy(rank: number, { skips, bases, received }: CirculantGraph): readonly number[] {
  const kept = received[rank]
  if (kept !== undefined) return kept
  const size = bases.length
  const q = skips.length - 1
  const blocks: number[] = []
  let had = 1 << bases[rank]!
  for (let k = 0; k < q; k++) {
    let largest = -1
    for (let d = skips[k]!; d < skips[k + 1]! || (d === skips[k + 1]! && largest < 0); d++) {
      const base = bases[(rank + size - d) % size]!
      if (((had >> base) & 1) === 0) largest = Math.max(largest, base)
    }
    had |= 1 << largest
    blocks.push(largest === q ? bases[rank]! : largest - q)
  }
  return (received[rank] = blocks)
}

const GRAPHS_KEPT = 16
const graphs = new Map<number, CirculantGraph>()

/** It depends on nothing but the number of ranks, and is kept because it takes a while. */
function graphOf(size: number): CirculantGraph {
  let graph = graphs.get(size)
  if (graph === undefined) {
    const q = ceilLog(size, 2)
    const skips = Array.from({ length: q + 1 }, (_, k) => Math.ceil(size / 2 ** (q - k)))
    const bases = Array.from({ length: size }, (_, rank) => baseOf(rank, skips))
    graph = { skips, bases, received: [] }
    if (graphs.size === GRAPHS_KEPT) graphs.clear()
    graphs.set(size, graph)
  }
  return graph
}

function baseOf(rank: number, skips: readonly number[]): number {
  let base = skips.length - 1
  let rest = rank
  for (let k = base - 1; k >= 0; k--) {
    if (rest < skips[k]! || rest === 0) continue
    rest -= skips[k]!
    base = k
  }
  return base
}
