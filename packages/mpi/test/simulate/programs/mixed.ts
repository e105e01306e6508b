import { SUM, type Mpi, type Op } from '@commworld/mpi'

/** What one rank does, and when it has done it; the same i-forms on every carrier. */
export default async function main(mpi: Mpi): Promise<number[]> {
  return await mixed(mpi, Number(mpi.args[0]), SUM)
}

/** Steps that a seed decides: neighbours, strangers, collectives, computing, short and long messages. */
export async function mixed({ world, wtime, compute, alloc }: Mpi, seed: number, sum: Op) {
  const { rank, size } = world
  const random = generator(seed)
  const times: number[] = []
  for (let step = 0; step < 30; step++) {
    const what = Math.floor(random() * 6)
    const bytes = Math.floor(10 ** (random() * 5))
    const shift = 1 + Math.floor(random() * (size - 1))
    const busy = Array.from({ length: size }, () => Math.floor(random() * 4))
    const dest = (rank + shift) % size
    const source = (rank + size - shift) % size
    if (what === 0) compute(busy[rank]! * 1e-6)
    if (what === 1) await world.ibarrier()
    if (what === 2) await world.iallreduce(rank, sum)
    if (what === 3) {
      const data = alloc(Uint8Array, bytes)
      await world.ibcastInto(data, { root: shift })
    }
    if (what === 4) {
      const send = world.isend(new Uint8Array(bytes).fill(rank), { dest })
      const got = await world.irecv<Uint8Array>({ source })
      if (got.length !== bytes || got.some((byte) => byte !== source)) throw new Error('wrong data')
      await send
    }
    if (what === 5) {
      const sends = [1, 2, 3].map((tag) => world.isend({ tag, rank }, { dest, tag }))
      for (const tag of [3, 1, 2]) {
        const got = await world.irecv<{ tag: number }>({ source, tag })
        if (got.tag !== tag) throw new Error('wrong message')
      }
      await Promise.all(sends)
    }
    times.push(wtime())
  }
  return times
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
