import type { Mpi } from '@commworld/mpi'

const rallies = 3
const timedRoundTrips = 1000

export default function main({ world, wtime }: Mpi) {
  const { rank, size } = world
  if (size < 2) {
    console.log('ping-pong takes two ranks: mpiexec -n 2 ping-pong.ts')
    return
  }
  // Two play, the others have nothing to do and are done.
  if (rank > 1) return
  const other = 1 - rank

  // A plain verb blocks: `recv` comes back with the ball, never without it.
  for (let ball = 0; ball < 2 * rallies; ball++) {
    if (ball % 2 === rank) {
      world.send(ball, { dest: other })
    } else {
      console.log(`rank ${rank} got ball ${world.recv<number>({ source: other })}`)
    }
  }

  // The same again with nothing printed: half a round trip is the latency of a message.
  const start = wtime()
  for (let trip = 0; trip < timedRoundTrips; trip++) {
    if (rank === 0) {
      world.send(trip, { dest: 1 })
      world.recv({ source: 1 })
    } else {
      world.recv({ source: 0 })
      world.send(trip, { dest: 0 })
    }
  }
  const oneWayMicroseconds = ((wtime() - start) / timedRoundTrips / 2) * 1e6
  if (rank === 0) console.log(`one way takes ${oneWayMicroseconds.toFixed(2)} µs`)
}
