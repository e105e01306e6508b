import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fabricModel, type FabricModel } from '../fabric-model.js'
import { parseFdbs, parseForwardingTables } from '../import/forwarding-tables.js'
import { ImportError } from '../import/import-error.js'
import { EndpointCosts } from '../profile/endpoint-costs.js'
import { host } from '../profile/host.js'
import type { HostProfile } from '../profile/profile.js'
import { checkRouting, type Pair } from '../routing/check-routing.js'
import type { Routing } from '../routing/routing.js'
import { ROUTING_NAMES, routingNamed, usualRouting } from '../routing/routing-names.js'
import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { readGpu, readNetwork } from './network-section.js'
import { readTopology } from './topology-section.js'
import { YamlReader } from './yaml-reader.js'

/** Reads the files that a fabric file names, by paths from where it is. */
export interface FileReader {
  read(section: YamlReader, key: string): { readonly text: string; readonly name: string }
}

/** @throws ImportError when a file is not there, or says what makes no sense */
export function loadFabric(path: string): FabricModel {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ImportError(path, 0, `cannot be read: ${(error as Error).message}`)
  }
  return parseFabric(text, path)
}

/**
 * Reads a description of a cluster:
 *
 * ```yaml
 * network: hdr                 # or { base: hdr, osu: latency.txt, hopNs: 120 }
 * topology:
 *   kind: fat-tree             # k-ary-n-tree, single-switch, torus, dragonfly, ibnetdiscover, simgrid
 *   children: [20, 40]
 *   parents: [1, 20]
 * routing: d-mod-k             # or { tables: lfts.txt }, { fdbs: tables.fdbs }, { name: hash, seed: 7 }
 * layer: 2                     # 1: no contention between switches
 * ranksPerHost: 4
 * placement: block             # or round-robin
 * host: { reduceNsPerByte: 0.08 }
 * gpu: { direct: true, fastCopy: true }
 * ```
 *
 * @throws ImportError with line and reason
 */
export function parseFabric(text: string, path = 'fabric.yaml'): FabricModel {
  const fabric = YamlReader.open(text, path)
  const files: FileReader = {
    read(section, key) {
      const name = section.text(key)
      try {
        return { text: readFileSync(resolve(dirname(path), name), 'utf8'), name }
      } catch (error) {
        throw section.error(key, `cannot be read: ${(error as Error).message}`)
      }
    },
  }
  const found = readTopology(fabric.mapping('topology'), files)
  const network = readGpu(fabric, readNetwork(fabric, files, found))
  const routing = readRouting(fabric, files, found.topology)
  const name = fabric.has('name') ? fabric.text('name') : undefined
  const model = fabricModel({
    routing,
    network,
    host: readHost(fabric),
    ...(name !== undefined && { name }),
    ...(fabric.has('layer') && { layer: fabric.number('layer', { min: 1, whole: true }) as 1 | 2 }),
    ...(fabric.has('ranksPerHost') && {
      ranksPerHost: fabric.number('ranksPerHost', { min: 1, whole: true }),
    }),
    ...(fabric.has('placement') && {
      placement: fabric.choice('placement', ['block', 'round-robin'] as const),
    }),
  })
  fabric.end()
  if (model.layer > 2) throw fabric.error('layer', `there are layers 1 and 2, not ${model.layer}`)
  checkNetwork(fabric, model)
  return model
}

/** Numbers that do not fit each other. */
function checkNetwork(fabric: YamlReader, { network }: FabricModel): void {
  try {
    // oxlint-disable-next-line no-new -- its constructor checks
    new EndpointCosts(network)
  } catch (error) {
    throw fabric.error('network', (error as Error).message)
  }
}

function readRouting(fabric: YamlReader, files: FileReader, topology: Topology): Routing {
  try {
    if (!fabric.has('routing')) return routingNamed(topology, usualRouting(topology))
    if (!fabric.isMapping('routing')) {
      return routingNamed(topology, fabric.choice('routing', ROUTING_NAMES))
    }
    const section = fabric.mapping('routing')
    const read = (): Routing => {
      for (const [key, parse] of [
        ['tables', parseForwardingTables],
        ['fdbs', parseFdbs],
      ] as const) {
        if (!section.has(key)) continue
        const { text, name } = files.read(section, key)
        const routing = parse(topology, text, name)
        checkTables(section, key, routing)
        return routing
      }
      const name = section.choice('name', ROUTING_NAMES)
      const seed = section.has('seed') ? section.number('seed', { whole: true }) : 0
      return routingNamed(topology, name, seed)
    }
    const routing = read()
    section.end()
    return routing
  } catch (error) {
    if (error instanceof TopologyError) throw fabric.error('routing', error.message)
    throw error
  }
}

/** Beyond that many hosts holes and loops are found only when a message meets them. */
const CHECKED_HOSTS_MAX = 1024

/** Tables must lead everywhere. */
function checkTables(section: YamlReader, key: string, routing: Routing): void {
  const { topology } = routing
  if (topology.hosts > CHECKED_HOSTS_MAX) return
  const { pairs, unreachable, loops, unreachablePairs, loopingPairs } = checkRouting(routing)
  const words = (count: number, what: string, [first]: readonly Pair[]): string[] => {
    if (first === undefined) return []
    const [from, to] = [topology.nameOf(first.source), topology.nameOf(first.dest)]
    return [`${count} of ${pairs} pairs ${what}, the first from ${from} to ${to}`]
  }
  const wrong = [
    ...words(unreachable, 'are not reached', unreachablePairs),
    ...words(loops, 'go round in circles', loopingPairs),
  ]
  if (wrong.length > 0) throw section.error(key, wrong.join('; '))
}

function readHost(fabric: YamlReader): HostProfile {
  if (!fabric.has('host')) return host
  const section = fabric.mapping('host')
  const changes = (['copyNsPerByte', 'reduceNsPerByte', 'flagNs'] as const).flatMap((key) =>
    section.has(key) ? [[key, { value: section.number(key), source: 'fabric file' }]] : [],
  )
  section.end()
  return { ...host, ...(Object.fromEntries(changes) as Partial<HostProfile>) }
}
