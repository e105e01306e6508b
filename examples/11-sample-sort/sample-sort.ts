import { MAX, MIN, SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { draw } from '../picture.js'
import { fillKeys, fingerprintOf, firstNotBelow, histogramOf, isSorted } from './keys.js'

const totalKeys = 100_000
const samplesPerRank = 32

// The ranks hold keys in no order. In the end rank 0 is to have the smallest ones, sorted, rank 1 the
// next, and so on. So cut the range of the keys into one piece for each rank and send every key to
// where it belongs. Nobody knows where to cut, so that the pieces hold about as many: ask a sample.
export default function main({ world, alloc }: Mpi) {
  const { rank, size } = world
  const firstKey = (of: number) => Math.floor((of * totalKeys) / size)
  const keys = alloc(Float64Array, firstKey(rank + 1) - firstKey(rank))
  fillKeys(keys, firstKey(rank))
  const fingerprint = world.allreduce(fingerprintOf(keys), SUM) % 2 ** 32
  if (rank === 0) console.log(`${totalKeys} keys on ${size} ranks`)
  show('before', keys, world)

  // Everybody shows some keys to everybody. All see the same samples, so all cut at the same places.
  keys.sort()
  const samples = Array.from(
    { length: samplesPerRank },
    (_, sample) => keys[Math.floor(((sample + 0.5) * keys.length) / samplesPerRank)],
  )
  const allSamples = world.allgather(samples).flat()
  allSamples.sort((a, b) => a - b)
  const ends = Array.from({ length: size }, (_, piece) => {
    if (piece === size - 1) return keys.length
    const above = (piece + 1) * samplesPerRank
    return firstNotBelow(keys, (allSamples[above - 1] + allSamples[above]) / 2)
  })

  // How many of my keys each rank gets, and how many I get from each.
  const sendCounts = ends.map((end, piece) => end - (ends[piece - 1] ?? 0))
  const recvCounts = world.alltoall(sendCounts)
  const received = alloc(Float64Array, sumOf(recvCounts))
  world.alltoallvInto({ data: keys, counts: sendCounts }, { data: received, counts: recvCounts })
  received.sort()

  show('after', received, world)
  const largestShare = world.allreduce(received.length, MAX) / (totalKeys / size)
  if (rank === 0) console.log(`the largest share is ${largestShare.toFixed(2)} times the average`)
  check(received, fingerprint, world)
}

/** Sorted here, nothing below what lower ranks have, and the same keys as at the beginning. */
function check(keys: Float64Array, fingerprintBefore: number, world: Communicator) {
  const largestBelow = world.exscan(keys[keys.length - 1] ?? -Infinity, MAX) ?? -Infinity
  const isInOrder = isSorted(keys) && largestBelow <= (keys[0] ?? Infinity)
  const ranksInOrder = world.allreduce(isInOrder ? 1 : 0, SUM)
  const count = world.allreduce(keys.length, SUM)
  const fingerprint = world.allreduce(fingerprintOf(keys), SUM) % 2 ** 32
  if (ranksInOrder < world.size) throw new Error('FAIL: the keys are not in order')
  if (count !== totalKeys || fingerprint !== fingerprintBefore) {
    throw new Error('FAIL: these are not the keys of the beginning')
  }
  const [smallest, largest] = [
    world.allreduce(keys[0] ?? Infinity, MIN),
    world.allreduce(keys[keys.length - 1] ?? -Infinity, MAX),
  ]
  if (world.rank === 0) {
    console.log(`PASS: ${count} keys from ${smallest.toFixed(4)} to ${largest.toFixed(4)} in order`)
  }
}

/** A line for each rank: where between 0 and 1 its keys lie. */
function show(when: string, keys: Float64Array, world: Communicator) {
  const width = 64
  const histograms = world.gather(histogramOf(keys, width))
  if (histograms === undefined) return
  const fullest = Math.max(...histograms.flat())
  const at = (row: number, column: number) => histograms[Math.floor(row / 2)][column] / fullest
  console.log(`\nwhere they lie between 0 and 1, ${when}:`)
  draw({ width, height: 2 * world.size, at }).forEach((line, rank) => {
    console.log(`${`rank ${rank}`.padEnd(7)} |${line}`)
  })
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
