import { MAX, SUM, type Mpi } from '@commworld/mpi'
import { problemClassFrom, shareOf } from '../problem.js'
import { report, type Check } from '../report.js'
import { KeyExchange } from './key-exchange.js'
import { iterations, keysOf, ranksIn, replaceTwo, sorted } from './keys.js'
import { problems, rankOf } from './probes.js'

// Ranks integer keys, which says for each where it belongs in sorted order. The keys of a range all
// go to one rank, which then counts how often there is each of them.
export default function main(mpi: Mpi) {
  const { world, args, alloc, wtime } = mpi
  const problemClass = problemClassFrom(args)
  const { keys: keyCount, keyRange, buckets, probes } = problems[problemClass]
  if (world.rank === 0) {
    console.log(
      `IS class ${problemClass}: ${keyCount} keys below ${keyRange}, ${world.size} ranks\n`,
    )
  }

  const share = shareOf(keyCount, world)
  const keys = keysOf(share, keyRange)
  const shift = Math.log2(keyRange / buckets)
  const keyExchange = new KeyExchange(mpi, { keys: share.count, buckets, shift })

  // The keys of the probes stay the same; whoever has one tells the others.
  const myProbeKeys = alloc(Int32Array, probes.length)
  probes.forEach(({ index }, probe) => {
    if (index >= share.first && index < share.end) myProbeKeys[probe] = keys[index - share.first]
  })
  const probeKeys = alloc(Int32Array, probes.length)
  world.allreduceInto(myProbeKeys, probeKeys, SUM)

  const myProbeRanks = alloc(Int32Array, iterations * probes.length)
  function rankKeys(iteration: number) {
    replaceTwo(keys, share, keyRange, iteration)
    const range = keyExchange.exchange(keys)
    const ranks = ranksIn(range)
    probeKeys.forEach((key, probe) => {
      if (key < range.lowest || key >= range.end) return
      myProbeRanks[(iteration - 1) * probes.length + probe] = ranks[key - range.lowest]
    })
    return { range, ranks }
  }

  // Once for the compiler's sake, as the benchmark allows.
  let result = rankKeys(1)

  world.barrier()
  const start = wtime()
  for (let iteration = 1; iteration <= iterations; iteration++) result = rankKeys(iteration)
  const seconds = world.allreduce(wtime() - start, MAX)

  const probeRanks = alloc(Int32Array, myProbeRanks.length)
  world.allreduceInto(myProbeRanks, probeRanks, SUM)

  // Whether the keys are in order, within a rank and from one rank to the next.
  const sortedKeys = sorted(result.range, result.ranks)
  const largestBefore = world.exscan(sortedKeys.at(-1) ?? -1, MAX) ?? -1
  const misplaced = world.allreduce(countDescents(sortedKeys, largestBefore), SUM)
  const sortedCount = world.allreduce(sortedKeys.length, SUM)

  if (world.rank === 0) {
    const checks: Check[] = probes.map((probe, number) => ({
      name: `rank of key ${probe.index} at the end`,
      computed: probeRanks[(iterations - 1) * probes.length + number],
      published: rankOf(probe, iterations),
    }))
    const asPublished = probeRanks.filter((seen, index) => {
      const iteration = Math.floor(index / probes.length) + 1
      return seen === rankOf(probes[index % probes.length], iteration)
    })
    checks.push(
      { name: 'ranks as published', computed: asPublished.length, published: probeRanks.length },
      { name: 'keys sorted', computed: sortedCount, published: keyCount },
      { name: 'keys out of order', computed: misplaced, published: 0 },
    )
    report(checks, { operations: iterations * keyCount, seconds })
  }
}

function countDescents(keys: Int32Array, before: number): number {
  let count = 0
  for (const key of keys) {
    if (key < before) count++
    before = key
  }
  return count
}
