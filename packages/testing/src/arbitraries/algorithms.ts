import { collectiveAlgorithms, type CollectiveName } from '@commworld/mpi'
import fc from 'fast-check'

/** An algorithm by name, or what the library selects. */
export type AlgorithmChoice = string | undefined

/** What a call of a collective needs of an algorithm. */
export interface AlgorithmConstraints {
  readonly size: number
  readonly commutative?: boolean
  /** Values are not cut; default true. */
  readonly values?: boolean
}

/** Names of the registered algorithms that can serve a call. */
export function algorithmsFor(
  collective: CollectiveName,
  { size, commutative = true, values = true }: AlgorithmConstraints,
): string[] {
  return collectiveAlgorithms
    .filter((algorithm) => {
      const { needs, cut, wholeInSlots } = algorithm
      if (algorithm.collective !== collective) return false
      if (needs.commutative && !commutative) return false
      if (needs.powerOfTwo && (size & (size - 1)) !== 0) return false
      if (needs.evenSize && size % 2 !== 0) return false
      if (needs.sizeMin !== undefined && size < needs.sizeMin) return false
      if (needs.knownBlocks && values) return false
      return !(values && cut !== undefined && !wholeInSlots)
    })
    .map(({ name }) => name)
}

/** The algorithm of a call; shrinks toward the library's choice. */
export function algorithms(
  collective: CollectiveName,
  constraints: AlgorithmConstraints,
): fc.Arbitrary<AlgorithmChoice> {
  return fc.constantFrom<AlgorithmChoice[]>(undefined, ...algorithmsFor(collective, constraints))
}
