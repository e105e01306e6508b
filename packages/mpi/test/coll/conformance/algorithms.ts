import { collectiveAlgorithms } from '@commworld/mpi'
import type { CollectiveName } from './oracle.js'

export type Card = (typeof collectiveAlgorithms)[number]

/** What a collective is called with, as far as algorithms care. */
export interface Circumstances {
  readonly ranks: number
  readonly commutes: boolean
  readonly values: boolean
  /** Blocks by rank, of which all ranks know the lengths or not. */
  readonly listed: boolean
}

export function cardsOf(collective: CollectiveName): readonly Card[] {
  return collectiveAlgorithms.filter((card) => card.collective === collective)
}

/** Every algorithm as programs name it, with other radices than its own too. */
export function namesOf(collective: CollectiveName): string[] {
  return cardsOf(collective).flatMap(({ name, radix }) =>
    radix === undefined ? [name] : [name, `${name}:${radix + 1}`, `${name}:${radix + 2}`],
  )
}

/** Whether an algorithm must be refused: its card says what it needs. All ranks here share memory. */
export function isRefused(
  collective: CollectiveName,
  name: string,
  { ranks, commutes, values, listed }: Circumstances,
): boolean {
  const { needs, cut, wholeInSlots } = cardsOf(collective).find(
    (card) => card.name === name.split(':')[0],
  )!
  const knowsLengths = !listed || collective === 'allgather' || collective === 'reduceScatter'
  return (
    (needs.commutative === true && !commutes) ||
    (needs.powerOfTwo === true && !Number.isInteger(Math.log2(ranks))) ||
    (needs.evenSize === true && ranks % 2 === 1) ||
    (needs.sizeMin !== undefined && ranks < needs.sizeMin) ||
    (needs.knownBlocks === true && !knowsLengths) ||
    (needs.equalBlocks === true && listed) ||
    (cut !== undefined && values && wholeInSlots !== true)
  )
}
