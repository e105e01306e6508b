import { SaxesParser } from 'saxes'
import { logGopsProfile, type NetworkProfile } from '../profile/profile.js'
import { cascade } from '../topology/cascade.js'
import { fatTree, singleSwitch } from '../topology/fat-tree.js'
import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { torus } from '../topology/torus.js'
import { ImportError } from './import-error.js'
import { bandwidthOf, radicalOf, secondsOf } from './simgrid-units.js'

/** A cluster of a SimGrid platform: its topology, and a network with the bandwidth and latency of its links. */
export interface SimGridCluster {
  readonly id: string
  readonly topology: Topology
  readonly network: NetworkProfile
}

interface ClusterTag {
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * The first cluster of a SimGrid platform (XML, version 4 and up): FAT_TREE, TORUS, DRAGONFLY, or flat,
 * which is a crossbar here. Other elements are read over.
 *
 * @throws ImportError with the line
 */
export function parseSimGridPlatform(text: string, file = 'platform.xml'): SimGridCluster {
  const cluster = findCluster(text, file)
  const { line, attributes } = cluster
  const need = (name: string): string => {
    const value = attributes[name]
    if (value === undefined) throw new ImportError(file, line, `the cluster needs ${name}="..."`)
    return value
  }
  const read = <T>(name: string, parse: (text: string) => T | undefined, like: string): T => {
    const value = parse(need(name))
    if (value !== undefined) return value
    throw new ImportError(file, line, `${name}="${need(name)}" is not like ${like}`)
  }
  const bandwidth = read('bw', bandwidthOf, '125MBps')
  const latency = read('lat', secondsOf, '50us')
  const numbers = read('radical', radicalOf, '0-15')
  const topology = topologyOf(cluster, numbers.length, file)
  if (topology.hosts !== numbers.length) {
    throw new ImportError(
      file,
      line,
      `radical names ${numbers.length} hosts, the topology has ${topology.hosts}`,
    )
  }
  const linkNs = latency * 1e9
  const parameters = { overheadNs: 0, gapNs: 0, latencyNs: 2 * linkNs, nsPerByte: 1e9 / bandwidth }
  return {
    id: attributes['id'] ?? '',
    topology,
    network: {
      ...logGopsProfile(parameters),
      name: 'platform',
      title: `links of ${attributes['bw']} and ${attributes['lat']}, from ${file.replace(/^.*[\\/]/, '')}`,
      hopNs: { value: linkNs, source: file },
    },
  }
}

function findCluster(text: string, file: string): ClusterTag {
  const parser = new SaxesParser({ position: true })
  let cluster: ClusterTag | undefined
  let platform = false
  parser.on('error', (error) => {
    const reason = error.message.replace(/^\d+:\d+:\s*/, '')
    throw new ImportError(file, parser.line, `no XML: ${reason}`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'platform') platform = true
    if (name === 'cluster')
      cluster ??= { line: parser.line, attributes: attributes as Record<string, string> }
  })
  parser.write(text).close()
  if (!platform) throw new ImportError(file, 0, 'this is no SimGrid platform: no <platform> in it')
  if (cluster === undefined) throw new ImportError(file, 0, 'the platform has no <cluster>')
  return cluster
}

function topologyOf({ line, attributes }: ClusterTag, hosts: number, file: string): Topology {
  const kind = (attributes['topology'] ?? 'FLAT').toUpperCase()
  const parameters = attributes['topo_parameters'] ?? ''
  const groups = parameters.split(';').map((part) => part.split(',').map(Number))
  const wrong = (like: string): never => {
    throw new ImportError(file, line, `topo_parameters="${parameters}" is not like ${like}`)
  }
  const whole = groups.flat().every((number) => Number.isInteger(number) && number > 0)
  try {
    switch (kind) {
      case 'FLAT':
        return singleSwitch(hosts)
      case 'FAT_TREE': {
        const [levels, children, parents, cables] = groups
        const sizes = [children, parents, cables]
        if (!whole || sizes.some((list) => list?.length !== levels?.[0])) wrong('"2;4,4;1,2;1,2"')
        return fatTree({ children: children!, parents: parents!, cables: cables! })
      }
      case 'TORUS':
        if (!whole || groups.length !== 1) wrong('"3,2,2"')
        return torus({ dimensions: groups[0]! })
      case 'DRAGONFLY': {
        const lengths = groups.map((group) => group.length).join()
        if (!whole || lengths !== '2,2,2,1') wrong('"3,4;4,3;5,1;2"')
        const [[count, blue], [chassis, black], [routers, green], [nodes]] =
          groups as number[][] as [[number, number], [number, number], [number, number], [number]]
        return cascade({
          groups: count,
          chassis,
          routers,
          hostsPerRouter: nodes,
          blue,
          black,
          green,
        })
      }
      default:
        throw new ImportError(
          file,
          line,
          `topology="${kind}" is none of FAT_TREE, TORUS, DRAGONFLY and FLAT`,
        )
    }
  } catch (error) {
    if (error instanceof TopologyError) throw new ImportError(file, line, error.message)
    throw error
  }
}
