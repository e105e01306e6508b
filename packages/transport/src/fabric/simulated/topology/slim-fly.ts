import { CableList } from './cable-list.js'
import type { Topology } from './topology.js'
import { checkSize, TopologyError } from './topology-error.js'

/**
 * A Slim Fly: 2 q^2 switches of which no two are more than two cables apart, by the graphs of McKay, Miller and
 * Siran (Besta and Hoefler, SC 2014). The first half are (x, y), the second (m, c), all below q:
 *
 * - (x, y) and (x, y') are neighbours when y - y' is an even power of a primitive root of q,
 * - (m, c) and (m, c') when c - c' is an odd one,
 * - (x, y) and (m, c) when y = m x + c.
 *
 * Ports 1 to h lead to the hosts, then come (3 q - 1) / 2 to switches.
 *
 * @param q a prime that leaves 1 when divided by 4: 5, 13, 17, 29, 37, ...
 * @throws TopologyError
 */
export function slimFly({ q, hostsPerSwitch }: { q: number; hostsPerSwitch: number }): Topology {
  checkSize('hosts per switch of a Slim Fly', hostsPerSwitch)
  if (!isPrime(q) || q % 4 !== 1) {
    throw new TopologyError(
      `q of a Slim Fly is 5, 13, 17, 29, 37 or another prime 4 w + 1, not ${q}`,
    )
  }
  const switches = 2 * q * q
  const hosts = switches * hostsPerSwitch
  const list = new CableList()
  for (let host = 0; host < hosts; host++) {
    const port = (host % hostsPerSwitch) + 1
    list.connect({ node: host, port: 1 }, { node: hosts + Math.floor(host / hostsPerSwitch), port })
  }
  const ports = new Array<number>(switches).fill(hostsPerSwitch)
  const join = (a: number, b: number): void => {
    list.connect({ node: hosts + a, port: ++ports[a]! }, { node: hosts + b, port: ++ports[b]! })
  }
  const [even, odd] = powers(q)
  const half = q * q
  for (let group = 0; group < q; group++) {
    for (let a = 0; a < q; a++) {
      for (let b = a + 1; b < q; b++) {
        if (even.has(b - a)) join(group * q + a, group * q + b)
        if (odd.has(b - a)) join(half + group * q + a, half + group * q + b)
      }
    }
  }
  for (let x = 0; x < q; x++) {
    for (let m = 0; m < q; m++) {
      for (let c = 0; c < q; c++) join(x * q + ((m * x + c) % q), half + m * q + c)
    }
  }
  const place = (at: number): string => `${Math.floor((at % half) / q)},${at % q}`
  return list.build({
    name: `slim fly of ${switches} switches`,
    hosts,
    switches,
    level: new Int8Array(hosts + switches).fill(1, hosts),
    nameOf: (node) =>
      node < hosts
        ? `host ${node}`
        : `switch ${node - hosts < half ? 'A' : 'B'} (${place(node - hosts)})`,
  })
}

/** Even and odd powers of a primitive root; with q = 4 w + 1 a number is in one of them with its negative. */
function powers(q: number): [even: ReadonlySet<number>, odd: ReadonlySet<number>] {
  for (let root = 2; ; root++) {
    const list = [1]
    for (let power = root; power !== 1; power = (power * root) % q) list.push(power)
    if (list.length < q - 1) continue
    const every = (rest: number) => new Set(list.filter((_, exponent) => exponent % 2 === rest))
    return [every(0), every(1)]
  }
}

function isPrime(number: number): boolean {
  if (!Number.isInteger(number) || number < 2) return false
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) return false
  }
  return true
}
