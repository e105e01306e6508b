import { checkRouting, describeProfile, type FabricModel } from '@commworld/transport/simulated'

/** Pairs of hosts beyond this are not all followed. */
const HOSTS_MAX = 2048

/**
 * What a fabric is and whether its routing is sound: pairs that are not reached, loops, links that wait
 * for each other, switches that carry something, and every number of its profile with its source.
 */
export function fabricText(model: FabricModel): string {
  const { routing, network } = model
  const { topology } = routing
  const lines = [
    `${topology.name}: ${topology.hosts} hosts, ${topology.switches} switches, ${topology.links / 2} cables`,
    ...routingLines(model),
    '',
    ...describeProfile(network),
  ]
  return lines.join('\n')
}

function routingLines({ routing }: FabricModel): string[] {
  const { topology, name } = routing
  if (topology.hosts > HOSTS_MAX) {
    return [`routing ${name}: not checked, there are more than ${HOSTS_MAX} hosts`]
  }
  const report = checkRouting(routing)
  const pair = ([first]: readonly { source: number; dest: number }[]): string =>
    first === undefined
      ? ''
      : `, the first from ${topology.nameOf(first.source)} to ${topology.nameOf(first.dest)}`
  const cycle = report.creditCycle
  return [
    `routing ${name}: ${report.pairs} pairs of hosts${over(report.linksMax - 1)}`,
    `  not reached: ${report.unreachable}${pair(report.unreachablePairs)}`,
    `  in circles: ${report.loops}${pair(report.loopingPairs)}`,
    cycle === undefined
      ? '  no links wait for each other: free of deadlock on one virtual lane'
      : `  ${cycle.length} links wait for each other on one virtual lane: ${topology.linkName(cycle[0]!)}, …`,
    ...report.levels.map(({ level, switches, carrying }) => {
      const where = level < 0 ? 'no level' : `level ${level}`
      return `  ${where}: ${carrying} of ${switches} switches carry something`
    }),
  ]
}

function over(switches: number): string {
  return switches < 0 ? '' : ` over at most ${switches} switches`
}
