import { ANY_SOURCE, type Mpi } from '@commworld/mpi'

/** Draws numbers below a bound, the same on all ranks. */
function generator(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

/** All ranks but the last send it messages of mixed sizes and modes; it takes them as they come. */
export default function main({ world, alloc, args }: Mpi): number {
  const [messages, seed] = args.map(Number) as [number, number]
  const senders = world.size - 1
  const random = generator(seed + world.rank)
  const buffer = alloc(Int32Array, 4096)
  if (world.rank < senders) {
    for (let i = 0; i < messages; i++) {
      const length = 1 + (random(3) === 0 ? random(4096) : random(16))
      // Plain memory is copied when the send starts, registered memory belongs to it until its end.
      const plain = random(2) === 0
      const data = plain ? new Int32Array(length) : buffer.subarray(0, length)
      data.fill(i)
      const options = { dest: senders, tag: random(3) }
      if (random(8) === 0) world.ssend(data, options)
      else if (plain && random(2) === 0) world.isend(data, options).free()
      else world.send(data, options)
    }
    return messages
  }
  const next = new Int32Array(senders)
  for (let taken = 0; taken < senders * messages; taken++) {
    const message = world.mprobe({ source: ANY_SOURCE })
    const { source, count } = message.status as { source: number; count: number }
    const into = random(2) === 0 ? buffer : new Int32Array(4096)
    message.recvInto(into)
    const expected = next[source]!++
    if (into[0] !== expected || into[count - 1] !== expected) {
      throw new Error(`message ${expected} of rank ${source} is ${into[0]} to ${into[count - 1]}`)
    }
  }
  return messages
}
