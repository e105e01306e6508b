/**
 * What the checker moves instead of data: for a moved block its origin; for a folded one who
 * contributed, in which order, and by which tree. All in numbers of constant size, so that thousands
 * of ranks can be checked: a polynomial hash is associative and does not commute, and a mix that is
 * not associative tells trees apart.
 */
export interface AbstractValue {
  /** Rank and block that it came from; of a fold the block. */
  readonly origin: number
  readonly block: number
  /** Contributions. */
  readonly count: number
  /** Sum of the contributors' weights: wrong when one is missing or there twice. */
  readonly weight: number
  /** Hash of the contributors in order. */
  readonly order: number
  /** Hash of the tree by which they were folded. */
  readonly tree: number
  /** Of a fold its two operands: for the words of a report. */
  readonly lower: AbstractValue | undefined
  readonly higher: AbstractValue | undefined
}

const PRIME = 0x7fffffed
const BASE = 1_000_003
/** Contributors that a report names. */
const MEMBERS_NAMED = 64
const HALF = 2 ** 15

/** Modulo the prime, in two steps that stay below 2^53. */
function times(a: number, b: number): number {
  const high = Math.floor(b / HALF)
  return (((a * high) % PRIME) * HALF + a * (b - high * HALF)) % PRIME
}

function power(exponent: number): number {
  while (powers.length <= exponent) powers.push(times(powers[powers.length - 1]!, BASE))
  return powers[exponent]!
}
const powers: number[] = [1]

function weightOf(rank: number): number {
  // Well mixed, and exact in sums of thousands.
  return Math.imul(Math.imul(rank + 1, 0x9e3779b1) ^ ((rank + 1) >>> 7), 0x85ebca6b) >>> 0
}

/** The block that a rank starts with. */
export function contribution(rank: number, block: number): AbstractValue {
  return {
    origin: rank,
    block,
    count: 1,
    weight: weightOf(rank),
    order: (rank + 1) % PRIME,
    tree: Math.imul(rank + 1, 0x27d4eb2d) >>> 0,
    lower: undefined,
    higher: undefined,
  }
}

/** `lower` op `higher`. */
export function fold(lower: AbstractValue, higher: AbstractValue): AbstractValue {
  return {
    origin: -1,
    block: lower.block === higher.block ? lower.block : -1,
    count: lower.count + higher.count,
    weight: lower.weight + higher.weight,
    order: (times(lower.order, power(higher.count)) + higher.order) % PRIME,
    tree: (Math.imul(lower.tree, 31) + Math.imul(higher.tree, 0x01000193) + 7) >>> 0,
    lower,
    higher,
  }
}

/** The fold of ranks `first` to `end - 1`, in order, whatever the tree. */
export function foldOf(first: number, end: number, block: number): AbstractValue {
  let value = contribution(first, block)
  for (let rank = first + 1; rank < end; rank++) value = fold(value, contribution(rank, block))
  return value
}

/** Whether two folds have the same contributors; in the same order, where that matters. */
export function sameFold(a: AbstractValue, b: AbstractValue, ordered: boolean): boolean {
  if (a.block !== b.block || a.count !== b.count || a.weight !== b.weight) return false
  return !ordered || a.order === b.order
}

/** The contributors in order, as far as `most`. */
export function membersOf(value: AbstractValue, most = Infinity): number[] {
  const members: number[] = []
  const open: AbstractValue[] = [value]
  for (let next = open.pop(); next !== undefined && members.length < most; next = open.pop()) {
    if (next.lower === undefined) members.push(next.origin)
    else open.push(next.higher!, next.lower)
  }
  return members
}

/** In words: `ranks 0 1 3 of block 2`. */
export function describeValue(value: AbstractValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value.count === 1) return `rank ${value.origin}'s block ${value.block}`
  const who =
    value.count > MEMBERS_NAMED
      ? `${value.count} contributions`
      : `ranks ${membersOf(value).join(' ')}`
  return value.block < 0 ? `${who} of different blocks` : `${who} of block ${value.block}`
}
