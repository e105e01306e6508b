import { collectiveAlgorithms, type CollectiveName } from '@commworld/mpi'
import fc from 'fast-check'

/** An algorithm by name, or what the library selects. */
export type AlgorithmChoice = string | undefined

/** What a call of a collective needs of an algorithm. */
export interface AlgorithmConstraints {
  readonly size: number
  /** Default true. */
  readonly commutative?: boolean
  /** Values are not cut; default true. */
  readonly values?: boolean
  /** Blocks have lengths of their own, as in the v-forms; default false. */
  readonly listed?: boolean
}

type Card = (typeof collectiveAlgorithms)[number]

/**
 * The registered algorithms of a collective.
 * @example
 * cardsOf('scan').every(({ collective }) => collective === 'scan') // true
 */
export function cardsOf(collective: CollectiveName): readonly Card[] {
  return collectiveAlgorithms.filter((card) => card.collective === collective)
}

/**
 * Names of all registered algorithms of a collective, with two radices more than their own.
 * @example
 * algorithmNames('allreduce').includes('ring') // true
 */
export function algorithmNames(collective: CollectiveName): string[] {
  return cardsOf(collective).flatMap(({ name, radix }) =>
    radix === undefined ? [name] : [name, `${name}:${radix + 1}`, `${name}:${radix + 2}`],
  )
}

/**
 * Whether an algorithm can serve a call among ranks that share memory: what its card says it needs.
 * The library must refuse it otherwise, with an `AlgorithmError` at the call.
 * @example
 * serves('allreduce', 'ring', { size: 6, values: false }) // true
 */
export function serves(
  collective: CollectiveName,
  name: string,
  { size, commutative = true, values = true, listed = false }: AlgorithmConstraints,
): boolean {
  const plain = name.split(':')[0]
  const { needs, cut, wholeInSlots } = cardsOf(collective).find((card) => card.name === plain)!
  const knowsLengths = !listed || collective === 'allgather' || collective === 'reduceScatter'
  if (needs.commutative && !commutative) return false
  if (needs.powerOfTwo && !Number.isInteger(Math.log2(size))) return false
  if (needs.evenSize && size % 2 !== 0) return false
  if (needs.sizeMin !== undefined && size < needs.sizeMin) return false
  if (needs.knownBlocks && !knowsLengths) return false
  if (needs.equalBlocks && listed) return false
  return !(values && cut !== undefined && !wholeInSlots)
}

/**
 * Names of the registered algorithms that can serve a call.
 * @example
 * algorithmsFor('allreduce', { size: 6, values: false }).includes('ring') // true
 */
export function algorithmsFor(
  collective: CollectiveName,
  constraints: AlgorithmConstraints,
): string[] {
  return algorithmNames(collective).filter((name) => serves(collective, name, constraints))
}

/**
 * The algorithm of a call; shrinks toward the library's choice.
 * @example
 * fc.assert(fc.property(algorithms('bcast', { size: 6 }), (name) => name !== 'ring'))
 */
export function algorithms(
  collective: CollectiveName,
  constraints: AlgorithmConstraints,
): fc.Arbitrary<AlgorithmChoice> {
  return fc.constantFrom<AlgorithmChoice[]>(undefined, ...algorithmsFor(collective, constraints))
}
