// Where the table of algorithms without shared memory chooses another than the quickest, in virtual time
// on InfiniBand HDR: how much longer its choice takes. Thresholds of coll/select/rules.ts come from here.
//
// Usage: node benchmarks/coll/rules.mjs [collective ...]

import { AlgorithmError } from '@commworld/mpi'
import { collectiveAlgorithms } from '@commworld/mpi/plan'
import { simulateCollective } from '@commworld/mpi/simulate'
import { fabricModel, fatTree, profileNamed, routingNamed } from '@commworld/transport/simulated'

const RANKS = [2, 3, 4, 7, 8, 16, 31, 32, 64, 128]
const BYTES = [8, 512, 4096, 32_768, 262_144, 1_048_576, 8_388_608]
/** Bytes of all blocks of one rank, beyond which a run shows nothing new. */
const BYTES_MAX = 2 ** 27
/** A choice that takes less than this much longer is as good. */
const TOLERANCE = 1.1

const names = new Set(collectiveAlgorithms.map(({ collective }) => collective))
const wanted = process.argv.length > 2 ? process.argv.slice(2) : [...names]
const unknown = wanted.find((name) => !names.has(name))
if (unknown !== undefined) {
  console.error(`no collective ${unknown}: ${[...names].join(', ')}`)
  process.exit(1)
}

console.log(
  'collective     ranks     bytes  chosen                   us  quickest               factor',
)
for (const collective of wanted) for (const ranks of RANKS) judge(collective, ranks)

function judge(collective, ranks) {
  const topology = fatTree({ children: [32, Math.ceil(ranks / 32)], parents: [1, 32] })
  const routing = routingNamed(topology, 'd-mod-k')
  const model = fabricModel({ routing, network: profileNamed('hdr') })
  const algorithms = collectiveAlgorithms.filter(
    ({ collective: of, needs }) => of === collective && !needs.sharedMemory,
  )
  const run = (bytes, algorithm) =>
    simulateCollective({ collective, ranks, bytes, algorithm, model, path: false })
  for (const bytes of collective === 'barrier' ? [0] : BYTES) {
    if (bytes * ranks > BYTES_MAX) continue
    const chosen = run(bytes, undefined)
    const best = quickest(algorithms, (name) => {
      try {
        return run(bytes, name).timePs
      } catch (error) {
        if (error instanceof AlgorithmError) return Infinity // not for so many ranks
        throw error
      }
    })
    const factor = chosen.timePs / best.timePs
    if (factor < TOLERANCE) continue
    const columns = [
      collective.padEnd(13),
      String(ranks).padStart(6),
      String(bytes).padStart(9),
      ` ${chosen.algorithm.name.padEnd(20)}`,
      (chosen.timePs / 1e6).toFixed(1).padStart(6),
      ` ${best.name.padEnd(20)}`,
      factor.toFixed(2).padStart(8),
    ]
    console.log(columns.join(' '))
  }
}

function quickest(algorithms, timeOf) {
  let best = { name: '', timePs: Infinity }
  for (const { name } of algorithms) {
    const timePs = timeOf(name)
    if (timePs < best.timePs) best = { name, timePs }
  }
  return best
}
