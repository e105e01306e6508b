import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loadFabric, parseFabric } from '../../../src/fabric/simulated/description/fabric-file.js'
import { profileFromNetgauge } from '../../../src/fabric/simulated/import/measured-profile.js'
import { EndpointCosts } from '../../../src/fabric/simulated/profile/endpoint-costs.js'
import { qdr } from '../../../src/fabric/simulated/profile/infiniband.js'

const FABRIC = `# a cluster
name: teaching cluster
network: hdr
topology:
  kind: fat-tree
  children: [4, 4]
  parents: [1, 2]
routing: { name: hash, seed: 7 }
layer: 2
ranksPerHost: 2
placement: round-robin
host:
  reduceNsPerByte: 0.2
`

const OSU = `# OSU MPI Latency Test v5.6.3
# Size          Latency (us)
0                       1.50
8                       1.52
4096                    3.00
65536                  10.00
1048576                50.00
`

describe('parseFabric', () => {
  test('reads a cluster', () => {
    const model = parseFabric(FABRIC, 'fabric.yaml')
    expect(model).toMatchObject({ name: 'teaching cluster', layer: 2, ranksPerHost: 2 })
    expect(model.routing.topology.hosts).toBe(16)
    expect(model.routing.name).toBe('hash')
    expect(model.network.name).toBe('hdr')
    expect(model.host.reduceNsPerByte.value).toBe(0.2)
  })

  test('takes what is usual for what is left out', () => {
    const model = parseFabric('network: edr\ntopology: { kind: torus, dimensions: [3, 3] }')
    expect(model.routing.name).toBe('dimension-order')
    expect(model).toMatchObject({ layer: 1, ranksPerHost: 1, placement: 'block' })
  })

  test('puts messages in the memory of GPUs', () => {
    const model = parseFabric(`${FABRIC}gpu: { direct: false, fastCopy: false }\n`)
    expect(model.network.title).toContain('by way of the host')
  })

  test.each([
    ['network: hdr', 'network: hrd', 3, 'network: there is no hrd; did you mean hdr?'],
    ['layer: 2', 'layr: 2', 9, 'layr: there is no such key; did you mean layer?'],
    ['layer: 2', 'layer: 3', 9, 'layer: there are layers 1 and 2, not 3'],
    [
      'kind: fat-tree',
      'kind: fattree',
      5,
      'topology.kind: there is no fattree; did you mean fat-tree?',
    ],
    ['parents: [1, 2]', 'parents: [1, 0]', 7, 'topology.parents: must be a list of whole numbers'],
    ['parents: [1, 2]', 'parents: [1]', 5, 'as many numbers of children'],
    ['  parents: [1, 2]\n', '', 5, 'topology.parents: needs a list'],
    [
      'ranksPerHost: 2',
      'ranksPerHost: two',
      10,
      'ranksPerHost: must be a whole number from 1, not two',
    ],
    ['name: hash', 'name: dimension-order', 8, 'needs a torus'],
    ['network: hdr', 'network: [', 3, 'no YAML'],
  ])('%s as %s is refused with its line', (part, other, line, reason) => {
    const parse = () => parseFabric(FABRIC.replace(part, other), 'fabric.yaml')
    expect(parse).toThrow(reason)
    if (!reason.includes('no YAML')) expect(parse).toThrow(`fabric.yaml:${line}: `)
  })
})

describe('loadFabric', () => {
  let folder = ''
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fabric-'))
  })

  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  test('finds files beside it', () => {
    file('latency.txt', OSU)
    const path = file(
      'f.yaml',
      FABRIC.replace('network: hdr', 'network: { base: hdr, osu: latency.txt }'),
    )
    const { network } = loadFabric(path)
    const costs = new EndpointCosts(network)
    expect(costs.isolatedPs(4096)).toBe(3_000_000)
    expect(network.title).toContain('as measured')
  })

  test('refuses tables with holes and loops', () => {
    file(
      'net.txt',
      'Switch 3 "S1"\n[1] "A"[1]\n[2] "B"[1]\nHca 1 "A"\n[1] "S1"[1]\nHca 1 "B"\n[1] "S1"[2]\n',
    )
    const fabric = `network: hdr
topology: { kind: netlist, file: net.txt }
routing:
  fdbs: tables.txt
`
    file('tables.txt', '0: 255 0 1\n')
    expect(loadFabric(file('h.yaml', fabric)).routing.name).toBe('tables.txt')
    file('tables.txt', '0: 255 0 255\n')
    expect(() => loadFabric(file('h.yaml', fabric))).toThrow(
      'h.yaml:4: routing.fdbs: 1 of 2 pairs are not reached, the first from A to B',
    )
  })

  test('names the line of a file that it names', () => {
    file('latency.txt', OSU.replace('3.00', 'three'))
    const path = file(
      'f.yaml',
      FABRIC.replace('network: hdr', 'network: { base: hdr, osu: latency.txt }'),
    )
    expect(() => loadFabric(path)).toThrow('latency.txt:5: not a row of numbers')
    const lost = file(
      'g.yaml',
      FABRIC.replace('network: hdr', 'network: { base: hdr, osu: no.txt }'),
    )
    expect(() => loadFabric(lost)).toThrow(/g\.yaml:3: network\.osu: cannot be read/)
    expect(() => loadFabric(join(folder, 'none.yaml'))).toThrow('cannot be read')
  })
})

// Rows as the program writes them: sizes, then microseconds; `-nan` where a difference has no meaning.
const NETGAUGE = `# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
1 10 14.8 23.3 156.9 7.4 0.98 1.14 -nan -nan -nan
8 10 11.4 20.7 123.3 7.4 1.05 1.08 0.94 0.0123 0.0131
1024 10 15.9 27.5 170.2 7.4 1.25 1.29 1.05 0.0004 0.1855
65536 10 93.8 482.4 1327.3 7.4 43.3 43.3 1.22 0.0007 2.0893
262144 10 288.6 1556.4 4155.5 7.4 141.0 141.0 1.01 0.0005 0.2343
262144 10 288.6 1556.4 4155.5 7.4 141.0 141.0 10.6 0.0005 0.0172
1048576 10 1070.3 5852.2 15487.2 7.4 531.5 531.6 10.7 0.0005 0.0210
`

describe('profileFromNetgauge', () => {
  test('reads a table with lines that are there twice, and without meaning', () => {
    const profile = profileFromNetgauge(NETGAUGE, qdr, 'tukey')
    expect(profile.knots.length).toBe(6)
    // A cold first message is no better than the warm one after it.
    expect(profile.knots[0]!.ns).toBe(5700)
    expect(profile.sendOverheadNs.value).toBeCloseTo(1050, 6)
    expect(profile.nsPerByte.value).toBeCloseTo(0.497, 3)
  })

  test('names the line of what is wrong', () => {
    expect(() => profileFromNetgauge('1 2 3\n', qdr, 'n')).toThrow('n:1: a row of Netgauge')
  })
})
