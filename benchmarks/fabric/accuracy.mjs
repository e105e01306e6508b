// Published numbers beside those of the simulated fabric, as the table of docs/accuracy.md. Everything is
// deterministic: the table changes only with the code.
//
// Usage: node benchmarks/fabric/accuracy.mjs

import { simulateCollective } from '@commworld/mpi/simulate'
import {
  fabricModel,
  fatTree,
  patternRates,
  profileNamed,
  routingNamed,
  singleSwitch,
  slimFly,
} from '@commworld/transport/simulated'

const US = 1e6

function cluster(profile, hosts, { perLeaf = 18, ...rest } = {}) {
  const topology =
    hosts <= perLeaf
      ? singleSwitch(hosts)
      : fatTree({ children: [perLeaf, Math.ceil(hosts / perLeaf)], parents: [1, perLeaf] })
  return fabricModel({
    routing: routingNamed(topology, 'd-mod-k'),
    network: profileNamed(profile),
    ...rest,
  })
}

function run(collective, algorithm, ranks, bytes, model) {
  return simulateCollective({ collective, algorithm, ranks, bytes, model, path: false }).timePs / US
}

const row = (what, unit, published, seen, source) => ({ what, unit, published, seen, source })
const rows = []

rows.push(
  row('HDR, 1 B, half round trip', 'us', 1.2, oneWay('hdr', 1), 'Azure documentation, HBv3'),
  row(
    'NDR, 1 B, half round trip (an upper bound)',
    'us',
    2,
    oneWay('ndr', 1),
    'Azure documentation, HBv4',
  ),
)

function oneWay(profile, bytes) {
  const model = cluster(profile, 2)
  const request = { collective: 'bcast', algorithm: 'linear', ranks: 2, bytes, model }
  return simulateCollective(request).finishPs[1] / US
}

const fram = cluster('edr', 32, { ranksPerHost: 16, perLeaf: 16 })
rows.push(
  row(
    'barrier, EDR, 32 x 16 ranks',
    'us',
    9.25,
    run('barrier', 'dissemination', 512, 0, fram),
    'Sigma2, Fram, Intel MPI',
  ),
)
for (const [nodes, published] of [
  [2, 8.32],
  [4, 12.57],
]) {
  const model = cluster('hdr', nodes, { ranksPerHost: 96 })
  const seen = run('barrier', 'dissemination', 96 * nodes, 0, model)
  rows.push(row(`barrier, HDR, ${nodes} x 96 ranks`, 'us', published, seen, 'usernetes-azure'))
}
const mpich = cluster('qdr', 32, { ranksPerHost: 24 })
rows.push(
  row(
    'barrier, 40G InfiniBand, 32 x 24 ranks, untuned',
    'us',
    165.7,
    run('barrier', 'dissemination', 768, 0, mpich),
    'MPICH mailing list',
  ),
  row(
    'bcast, the same',
    'us',
    33,
    run('bcast', 'binomial-tree', 768, 1, mpich),
    'MPICH mailing list',
  ),
)
const oci = cluster('roce-100', 4, { ranksPerHost: 36 })
for (const [bytes, published] of [
  [4, 11.7],
  [1024, 18],
  [4096, 19.5],
  [16384, 349.8],
  [1048576, 3577],
]) {
  const seen = run('allreduce', undefined, 144, bytes, oci)
  rows.push(
    row(
      `allreduce ${bytes} B, RoCE 100G, 4 x 36 ranks`,
      'us',
      published,
      seen,
      'Oracle Cloud tutorials',
    ),
  )
}
// 200 nodes at the 50 switches of a Slim Fly (Blach et al., NSDI 2024), routed by the shortest ways.
const fly = routingNamed(slimFly({ q: 5, hostsPerSwitch: 4 }), 'minimal-hop')
for (const layer of [1, 2]) {
  const slimfly = fabricModel({ routing: fly, network: profileNamed('fdr'), layer })
  const linear = (bytes) =>
    run('reduce', 'linear', 200, bytes, slimfly) + run('bcast', 'linear', 200, bytes, slimfly)
  const source = 'youwuyou/slimfly_collectives'
  const title = (name, size) =>
    `${name} ${size}, 200 nodes of a Slim Fly, FDR class, layer ${layer}`
  rows.push(
    row(
      title('allreduce, recursive doubling,', '100 kB'),
      'us',
      848,
      run('allreduce', 'recursive-doubling', 200, 100_000, slimfly),
      source,
    ),
    row(
      title('allreduce, ring,', '100 kB'),
      'us',
      851,
      run('allreduce', 'ring', 200, 100_000, slimfly),
      source,
    ),
    row(title('allreduce, linear,', '100 kB'), 'us', 16_879, linear(100_000), source),
    row(
      title('reduce, binomial,', '100 kB'),
      'us',
      122.6,
      run('reduce', 'binomial-tree', 200, 100_000, slimfly),
      source,
    ),
    row(
      title('reduce, binomial,', '3.2 MB'),
      'us',
      3161,
      run('reduce', 'binomial-tree', 200, 3_200_000, slimfly),
      source,
    ),
  )
}
for (const profile of ['edr', 'edr-verbs']) {
  const model = cluster(profile, 128)
  for (const [bytes, hosts, network] of [
    [8, 6.01, 2.83],
    [4096, 46.93, 14.48],
  ]) {
    const source = 'Graham et al. 2016, Switch-IB 2'
    rows.push(
      row(
        `allreduce ${bytes} B by 128 hosts, profile ${profile}`,
        'us',
        hosts,
        run('allreduce', 'recursive-doubling', 128, bytes, model),
        source,
      ),
      row(
        `allreduce ${bytes} B in the network, profile ${profile}`,
        'us',
        network,
        run('allreduce', 'in-network', 128, bytes, model),
        source,
      ),
    )
  }
}

function meanRate(shape, routing, pattern) {
  const topology = fatTree(shape)
  const means = [1, 2, 3].map(
    (seed) =>
      patternRates(routingNamed(topology, routing, seed), pattern(topology.hosts, seed)).mean,
  )
  return (100 * means.reduce((a, b) => a + b)) / means.length
}

function order(hosts, seed) {
  let state = seed
  const list = Array.from({ length: hosts }, (_, i) => i)
  for (let i = hosts - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const j = Math.floor((state / 2 ** 32) * (i + 1))
    ;[list[i], list[j]] = [list[j], list[i]]
  }
  return list
}

const bisection = (hosts, seed) => {
  const list = order(hosts, seed)
  return Array.from({ length: hosts / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]])
}
const pairings = (hosts, seed) =>
  bisection(hosts, seed).flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ])
const clos512 = { children: [16, 32], parents: [1, 16] }
const tree1728 = { children: [12, 12, 12], parents: [1, 12, 12] }
rows.push(
  row(
    'random bisection, three levels, random static routing',
    '%',
    57.5,
    meanRate(tree1728, 'hash', bisection),
    'Hoefler et al. 2008: 55 to 60 %',
  ),
  row(
    'random pairs, 512 nodes, static',
    '%',
    38,
    meanRate(clos512, 'hash', pairings),
    'Geoffray, Hoefler 2008, Myrinet',
  ),
  row(
    'random pairs, 512 nodes, adaptive at its best',
    '%',
    77,
    meanRate(clos512, 'adaptive-global', pairings),
    'Geoffray, Hoefler 2008, Myrinet',
  ),
)

const number = (value) => (value >= 100 ? String(Math.round(value)) : value.toFixed(2))
console.log('| what | published | simulated | off by | source |')
console.log('| --- | ---: | ---: | ---: | --- |')
for (const { what, unit, published, seen, source } of rows) {
  const off = Math.round((seen / published - 1) * 100)
  const cells = [
    `${number(published)} ${unit}`,
    `${number(seen)} ${unit}`,
    `${off > 0 ? '+' : ''}${off} %`,
  ]
  console.log(`| ${what} | ${cells.join(' | ')} | ${source} |`)
}
