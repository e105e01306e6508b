import { ANY_SOURCE, MpiError, type Mpi } from '@commworld/mpi'

/** What a call on this rank was refused with: name and code, or that it was not. */
type Outcome = string

/** Mistakes with plain verbs, each followed by messages that must arrive all the same. */
export default function main(mpi: Mpi): Outcome[] {
  const { world, alloc } = mpi
  const { rank } = world
  const outcomes: Outcome[] = []
  const tried = (call: () => unknown): void => {
    outcomes.push(outcomeOf(call))
  }
  // Often enough that messages come by the shared receive queue and by the ring.
  for (let round = 0; round < 30; round++) {
    for (const length of [9, 9000]) {
      if (rank === 0) {
        world.send(new Float64Array(length), { dest: 1, tag: round })
        world.send({ length }, { dest: 1, tag: round })
        world.send(alloc(Int16Array, length), { dest: 1, tag: round })
        world.send(length, { dest: 1, tag: round })
      } else {
        const kept = outcomes.length
        tried(() => world.recvInto(new Float64Array(8), { source: 0 }))
        tried(() => world.recvInto(alloc(Float64Array, 8), { source: ANY_SOURCE }))
        tried(() => world.recvInto(new Float64Array(9000), { source: 0 }))
        if (round > 0) outcomes.length = kept
        if (world.recv({ source: 0 }) !== length) throw new Error('the next message is lost')
      }
    }
  }
  const peer = 1 - rank
  tried(() => world.send(1, { dest: 2 }))
  tried(() => world.recv({ source: -1 }))
  tried(() => world.send(1, { dest: peer, tag: -1 }))
  tried(() => world.send({ run() {} }, { dest: peer }))
  tried(() => world.bsend(1, { dest: peer }))
  tried(() => world.sendrecvReplace([] as never, { dest: peer, source: peer }))
  const data = alloc(Int32Array, 4)
  tried(() => world.sendrecvInto(data, data.subarray(2), { dest: peer, source: peer }))
  mpi.free(data)
  tried(() => mpi.free(data))
  tried(() => world.send(data, { dest: peer }))
  if (world.sendrecv(rank, { dest: peer, source: peer }) !== peer) {
    throw new Error('the last message is lost')
  }
  return outcomes
}

function outcomeOf(call: () => unknown): Outcome {
  try {
    call()
  } catch (error) {
    if (error instanceof MpiError) return `${error.name} ${error.code}`
    throw error
  }
  return 'was not refused'
}
