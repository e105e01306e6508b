import { AlgorithmError, ArgumentError } from '../../errors/index.js'
import { COLLECTIVE_KINDS, type CollectiveName } from '../plan/collective.js'
import { parseChoice, type NamedAlgorithms } from './select.js'

/**
 * Checks algorithms that a caller names for a world.
 *
 * @throws ArgumentError when they are no object, or name one by something else than a text
 * @throws AlgorithmError when a collective or an algorithm is not there, or has no such radix
 */
export function checkNamed(named: unknown): asserts named is NamedAlgorithms {
  if (typeof named !== 'object' || named === null || Array.isArray(named)) {
    const expected = "an object such as { allreduce: 'ring' }"
    throw new ArgumentError({ argument: 'algorithms', seen: named, expected })
  }
  for (const [collective, choice] of Object.entries(named)) {
    if (!isCollective(collective)) {
      const problem = `is not there: the collectives are ${COLLECTIVE_KINDS.join(', ')}`
      throw new AlgorithmError({ collective, algorithm: String(choice), problem })
    }
    if (typeof choice !== 'string') {
      const expected = "a name, such as 'ring' or 'bruck:4'"
      const advice = 'An algorithm of your own is named call by call: { algorithm: mine }'
      const argument = `algorithms.${collective}`
      throw new ArgumentError({ argument, seen: choice, expected, advice })
    }
    parseChoice(collective, choice)
  }
}

export function isCollective(name: string): name is CollectiveName {
  return (COLLECTIVE_KINDS as readonly string[]).includes(name)
}
