import type { Mutant } from '../mutant.js'
import { collectiveMutants } from './collectives.js'
import { hcaMutants } from './hca.js'
import { matchingMutants } from './matching.js'
import { messageMutants } from './messages.js'
import { ringMutants } from './rings.js'

/** All mutants of the packages; those of round functions are made in test/mutants.ts. */
export const productMutants: readonly Mutant[] = [
  ...matchingMutants,
  ...messageMutants,
  ...collectiveMutants,
  ...ringMutants,
  ...hcaMutants,
]
