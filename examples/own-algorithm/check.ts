import type { Mpi } from '@commworld/mpi'
import { checkAlgorithm, type Algorithm } from '@commworld/mpi/plan'
import { allgatherFold } from './allgather-fold.js'
import { firstTry } from './first-try.js'
import { foldAtOnce, foldOutwards, foldOwnFirst } from './fold-wrong.js'
import { sparbit } from './sparbit.js'

const algorithms = [firstTry, sparbit, foldAtOnce, foldOwnFirst, foldOutwards, allgatherFold]

export default function main({ args }: Mpi) {
  const asked = algorithms.filter(({ name }) => args.includes(name))
  for (const algorithm of asked) console.log(`${algorithm.name}: ${verdict(algorithm)}`)
}

function verdict(algorithm: Algorithm): string {
  const violation = checkAlgorithm(algorithm)
  if (violation === undefined) return 'breaks no rule on 1 to 17 ranks'
  const { kind, size, inPlace, text } = violation
  return `${kind}, on ${size} ranks${inPlace ? ', in place' : ''}\n  ${text}`
}
