import { CableList } from './cable-list.js'
import { products } from './fat-tree.js'
import type { Topology } from './topology.js'
import { checkSize, TopologyError } from './topology-error.js'

/**
 * A torus of switches, each with some hosts. Ports 1 to h lead to the hosts, then two for each
 * dimension, up and down. A dimension of two has one cable, of one none.
 *
 * @throws TopologyError
 */
export function torus({
  dimensions,
  hostsPerSwitch = 1,
}: {
  readonly dimensions: readonly number[]
  readonly hostsPerSwitch?: number | undefined
}): Topology {
  if (dimensions.length === 0) throw new TopologyError('a torus has at least one dimension')
  for (const size of dimensions) checkSize('a dimension of a torus', size)
  checkSize('hosts per switch of a torus', hostsPerSwitch)
  const strides = products(dimensions)
  const switches = strides.at(-1)!
  const hosts = switches * hostsPerSwitch
  const list = new CableList()
  for (let at = 0; at < switches; at++) {
    for (let h = 0; h < hostsPerSwitch; h++) {
      const host = at * hostsPerSwitch + h
      list.connect({ node: host, port: 1 }, { node: hosts + at, port: h + 1 })
    }
  }
  for (let at = 0; at < switches; at++) {
    dimensions.forEach((size, d) => {
      const position = Math.floor(at / strides[d]!) % size
      if (size === 1 || (size === 2 && position === 1)) return
      const next = at + (position + 1 === size ? 1 - size : 1) * strides[d]!
      const port = hostsPerSwitch + 1 + 2 * d
      list.connect({ node: hosts + at, port }, { node: hosts + next, port: port + 1 })
    })
  }
  const coordinates = (at: number): string =>
    dimensions.map((size, d) => Math.floor(at / strides[d]!) % size).join(',')
  return list.build({
    name: `torus ${dimensions.join('x')}`,
    hosts,
    switches,
    dimensions,
    level: new Int8Array(hosts + switches).fill(1, hosts),
    nameOf: (node) => (node < hosts ? `host ${node}` : `switch (${coordinates(node - hosts)})`),
  })
}
