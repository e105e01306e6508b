import { parseIbnetdiscover } from '../import/ibnetdiscover.js'
import { parseSimGridPlatform, type SimGridCluster } from '../import/simgrid-platform.js'
import { dragonfly } from '../topology/dragonfly.js'
import { fatTree, kAryNTree, singleSwitch } from '../topology/fat-tree.js'
import { slimFly } from '../topology/slim-fly.js'
import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { torus } from '../topology/torus.js'
import type { FileReader } from './fabric-file.js'
import type { YamlReader } from './yaml-reader.js'

const KINDS = [
  'fat-tree',
  'k-ary-n-tree',
  'single-switch',
  'torus',
  'dragonfly',
  'slim-fly',
  'ibnetdiscover',
  'netlist',
  'simgrid',
] as const

/** A topology, and the network of a platform that brings its own. */
export interface FoundTopology {
  readonly topology: Topology
  readonly platform?: SimGridCluster
}

/** The section `topology` of a fabric file. */
export function readTopology(section: YamlReader, files: FileReader): FoundTopology {
  const kind = section.choice('kind', KINDS)
  const whole = (key: string): number => section.number(key, { min: 1, whole: true })
  const optional = <T>(key: string, read: (key: string) => T): T | undefined =>
    section.has(key) ? read(key) : undefined
  const numbers = (key: string): number[] => section.numbers(key)
  const make = (): FoundTopology => {
    switch (kind) {
      case 'fat-tree': {
        const shape = { children: numbers('children'), parents: numbers('parents') }
        return { topology: fatTree({ ...shape, cables: optional('cables', numbers) }) }
      }
      case 'k-ary-n-tree':
        return { topology: kAryNTree({ k: whole('k'), n: whole('n') }) }
      case 'single-switch':
        return { topology: singleSwitch(whole('hosts')) }
      case 'torus': {
        const dimensions = numbers('dimensions')
        return {
          topology: torus({ dimensions, hostsPerSwitch: optional('hostsPerSwitch', whole) }),
        }
      }
      case 'dragonfly': {
        const groups = whole('groups')
        const routers = whole('routers')
        const hostsPerRouter = whole('hostsPerRouter')
        const globalPorts = section.number('globalPorts', { min: 0, whole: true })
        return { topology: dragonfly({ groups, routers, hostsPerRouter, globalPorts }) }
      }
      case 'slim-fly':
        return { topology: slimFly({ q: whole('q'), hostsPerSwitch: whole('hostsPerSwitch') }) }
      case 'ibnetdiscover':
      case 'netlist': {
        const { text, name } = files.read(section, 'file')
        const adapters = optional('adapters', (key) => section.text(key))
        return { topology: parseIbnetdiscover(text, name, adapters) }
      }
      case 'simgrid': {
        const { text, name } = files.read(section, 'file')
        const platform = parseSimGridPlatform(text, name)
        return { topology: platform.topology, platform }
      }
    }
  }
  try {
    const found = make()
    section.end()
    return found
  } catch (error) {
    if (error instanceof TopologyError) throw section.error('kind', error.message)
    throw error
  }
}
