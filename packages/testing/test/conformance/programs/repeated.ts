import { SUM, type Mpi } from '@commworld/mpi'
import { drawing, scrambled } from '@commworld/testing'

/**
 * Very many collectives on one communicator, with buffers that are written to again as soon as they
 * may be, while others may still be reading.
 */
export default function main({ world, alloc }: Mpi, rounds: number, seed: number): number {
  const { rank, size } = world
  const draw = drawing(seed + rank)
  const long = 1200
  const vector = alloc(Float64Array, long)
  const result = alloc(Float64Array, long)
  const blocks = alloc(Int32Array, size * 3)
  const others = alloc(Int32Array, size * 3)
  const plain = new Int32Array(5)
  const wrong = (what: string, round: number, seen: unknown, right: unknown): never => {
    throw new Error(`${what} in round ${round} at rank ${rank}: ${seen} instead of ${right}`)
  }
  for (let round = 0; round < rounds; round++) {
    if (draw(40) === 0) dawdle(draw(60))
    const root = scrambled(seed, round) % size
    const length = scrambled(seed, round, 1) % 50 === 0 ? long : 1 + (round % 7)
    switch (scrambled(seed, round, 2) % 8) {
      case 0: {
        const memory = vector.subarray(0, length)
        memory.fill(rank === root ? round : -1)
        world.bcastInto(memory, { root })
        for (const seen of memory) if (seen !== round) wrong('bcastInto', round, seen, round)
        memory.fill(-2)
        break
      }
      case 1: {
        const send = vector.subarray(0, length).fill(round + rank)
        const recv = result.subarray(0, length)
        world.allreduceInto(send, recv, SUM)
        send.fill(-3)
        const sum = size * round + (size * (size - 1)) / 2
        for (const seen of recv) if (seen !== sum) wrong('allreduceInto', round, seen, sum)
        break
      }
      case 2: {
        for (let to = 0; to < size; to++) blocks.fill(round + 10 * rank + to, 3 * to, 3 * to + 3)
        world.alltoallInto(blocks, others)
        blocks.fill(-4)
        others.forEach((seen, i) => {
          const right = round + 10 * Math.floor(i / 3) + rank
          if (seen !== right) wrong('alltoallInto', round, seen, right)
        })
        break
      }
      case 3: {
        plain.fill(round * size + rank)
        const seen = world.gather(plain, { root })
        plain.fill(-5)
        if (seen === undefined) break
        seen.forEach((array, from) => {
          if (array[4] !== round * size + from) wrong('gather', round, array[4], from)
        })
        break
      }
      case 4: {
        const seen = world.bcast(rank === root ? { round } : undefined, { root })
        if (seen!.round !== round) wrong('bcast', round, seen!.round, round)
        break
      }
      case 5: {
        const seen = world.exscan(1, SUM) ?? 0
        if (seen !== rank) wrong('exscan', round, seen, rank)
        break
      }
      case 6: {
        const send = vector.subarray(0, length).fill(rank)
        world.reduceInto(send, rank === root ? result.subarray(0, length) : undefined, SUM, {
          root,
        })
        send.fill(-6)
        const right = (size * (size - 1)) / 2
        if (rank === root && result[length - 1] !== right) {
          wrong('reduceInto', round, result[length - 1], right)
        }
        break
      }
      default:
        world.barrier()
    }
  }
  return rounds
}

/** Keeps the thread busy for so many microseconds. */
function dawdle(microseconds: number): void {
  const end = performance.now() + microseconds / 1000
  while (performance.now() < end);
}
