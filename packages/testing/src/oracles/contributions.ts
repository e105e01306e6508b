import { Op } from '@commworld/mpi'

/**
 * Symbolic contributions: instead of numbers ranks fold texts that say who contributed and how, so a
 * lost, a doubled or a misplaced contribution is seen whatever the operation. A rank gives
 * `contribution(rank)`; the result of TREE is the tree by which it came about: `((0 1) 2)`.
 */
export const TREE: Op = Op.create((lower: string, higher: string) => `(${lower} ${higher})`, {
  name: 'TREE',
})

/** The same, for algorithms that are for commutative operations only. */
export const COMMUTATIVE_TREE: Op = Op.create(
  (lower: string, higher: string) => `(${lower} ${higher})`,
  { name: 'COMMUTATIVE_TREE', commutative: true },
)

/**
 * What a rank gives to a reduction by TREE.
 * @example
 * contribution(3) // '3'
 */
export function contribution(rank: number): string {
  return String(rank)
}

/**
 * Who contributed, in order.
 * @example
 * contributorsOf('((0 1) 2)') // [ 0, 1, 2 ]
 */
export function contributorsOf(tree: string): number[] {
  return (tree.match(/\d+/g) ?? []).map(Number)
}

/** What a folded contribution must be. */
export interface ContributionRules {
  /** Contributors that there must be: ranks 0 to `count` - 1. */
  readonly count: number
  /** They must stand in the order of ranks; default true. */
  readonly ordered?: boolean
}

/**
 * What is wrong with a folded contribution, in words; `undefined` when nothing is.
 * @example
 * contributionFault('(0 2)', { count: 3 }) // 'the contribution of rank 1 is missing in (0 2)'
 */
export function contributionFault(
  tree: string | undefined,
  { count, ordered = true }: ContributionRules,
): string | undefined {
  if (tree === undefined) return 'there is no result'
  const seen = contributorsOf(tree)
  const counts = new Map<number, number>()
  for (const rank of seen) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  for (let rank = 0; rank < count; rank++) {
    const times = counts.get(rank) ?? 0
    if (times === 0) return `the contribution of rank ${rank} is missing in ${tree}`
    if (times > 1) return `the contribution of rank ${rank} is there ${times} times in ${tree}`
  }
  const extra = seen.find((rank) => rank >= count)
  if (extra !== undefined) return `rank ${extra} contributed to ${tree}, and should not`
  const misplaced = ordered ? seen.findIndex((rank, place) => rank !== place) : -1
  if (misplaced < 0) return undefined
  return `rank ${seen[misplaced]} stands where rank ${misplaced} belongs in ${tree}`
}

/**
 * Ranks of an allreduce must fold by one tree: what differs, in words.
 * @example
 * treeFault(['((0 1) 2)', '((0 1) 2)']) // undefined
 */
export function treeFault(trees: readonly (string | undefined)[]): string | undefined {
  const [first] = trees
  const other = trees.findIndex((tree) => tree !== first)
  if (other < 0) return undefined
  return `rank 0 folded ${first}, and rank ${other} folded ${trees[other]}: floating-point results would differ`
}
