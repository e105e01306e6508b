import { COLLECTIVE_KINDS, type CollectiveName } from '../../coll/plan/collective.js'
import { isCollective } from '../../coll/select/named-algorithms.js'
import { algorithmNamed, algorithmsOf } from '../../coll/select/registry.js'
import { parseChoice, type NamedAlgorithms } from '../../coll/select/select.js'
import { AlgorithmError } from '../../errors/index.js'
import { ALGORITHM_VARIABLE } from './algorithm-variable.js'
import { nearestName } from './nearest-name.js'
import { UsageError } from './usage-error.js'

/**
 * Algorithms of a job: those of the environment, then those of each `--algorithm`; for one collective
 * the last word counts. Throws `UsageError`.
 *
 * @example
 * namedAlgorithms({ variable: 'bcast=linear', options: ['allreduce=ring,bcast=binomial-tree:4'] })
 * // { allreduce: 'ring', bcast: 'binomial-tree:4' }
 */
export function namedAlgorithms(given: {
  variable: string
  options: readonly string[]
}): NamedAlgorithms {
  const named: Partial<Record<CollectiveName, string>> = {}
  const add = (list: string, from: string) => {
    for (const part of list.split(',')) {
      const [collective, choice] = checkedPair(part.trim(), from)
      named[collective] = choice
    }
  }
  if (given.variable !== '') add(given.variable, ALGORITHM_VARIABLE)
  for (const option of given.options) add(option, '--algorithm')
  return named
}

function checkedPair(text: string, from: string): [CollectiveName, string] {
  const [, collective, choice] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (collective === undefined || choice === undefined) {
    throw new UsageError(`${from} needs COLLECTIVE=NAME, such as allreduce=ring; it got '${text}'`)
  }
  const refuse = (why: string): never => {
    const where = from === ALGORITHM_VARIABLE ? `in ${from}, ${text}` : `${from} ${text}`
    throw new UsageError(`${where}: ${why}`)
  }
  if (!isCollective(collective)) {
    const nearest = nearestName(collective, COLLECTIVE_KINDS)
    const hint = nearest ? `did you mean ${nearest}?` : '--info coll lists all'
    return refuse(`there is no collective ${collective}; ${hint}`)
  }
  const [name = ''] = choice.split(':')
  if (algorithmNamed(collective, name) === undefined) {
    const names = algorithmsOf(collective).map((algorithm) => algorithm.name)
    const nearest = nearestName(name, names)
    const hint = nearest ? `did you mean ${nearest}?` : `it has ${names.join(', ')}`
    return refuse(`${collective} has no algorithm ${name}; ${hint}`)
  }
  try {
    parseChoice(collective, choice)
  } catch (error) {
    if (error instanceof AlgorithmError) return refuse(error.message)
    throw error
  }
  return [collective, choice]
}
