import type { Topology } from '../topology/topology.js'

/** No way there. */
export const FAR = 255

/**
 * Links between every two switches on the shortest way, by breadth-first search; hosts do not forward.
 * At most 254: a fabric with longer ways does not work anyway (InfiniBand allows 63 hops).
 */
export class SwitchDistances {
  readonly #switches: number
  readonly #distances: Uint8Array

  constructor(topology: Topology) {
    const { hosts, switches, firstOf, outgoing, to } = topology
    this.#switches = switches
    this.#distances = new Uint8Array(switches * switches).fill(FAR)
    const queue = new Int32Array(switches)
    for (let start = 0; start < switches; start++) {
      // Cables go both ways: from the start is as far as to it.
      const row = this.#distances.subarray(start * switches, (start + 1) * switches)
      row[start] = 0
      queue[0] = start
      for (let head = 0, tail = 1; head < tail; head++) {
        const at = queue[head]!
        const distance = row[at]!
        if (distance === FAR - 1) break
        for (let i = firstOf[hosts + at]!; i < firstOf[hosts + at + 1]!; i++) {
          const node = to[outgoing[i]!]!
          if (node < hosts || row[node - hosts] !== FAR) continue
          row[node - hosts] = distance + 1
          queue[tail++] = node - hosts
        }
      }
    }
  }

  between(a: number, b: number): number {
    return this.#distances[a * this.#switches + b]!
  }
}

/** Number of the switch that a host is connected to, of all hosts; -1 of a host that has none. */
export function switchesOfHosts(topology: Topology): Int32Array {
  return Int32Array.from({ length: topology.hosts }, (_, host) => {
    const link = topology.hostLink(host)
    return link < 0 ? -1 : topology.to[link]! - topology.hosts
  })
}
