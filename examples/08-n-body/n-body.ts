import { SUM, type Mpi } from '@commworld/mpi'
import { addPull, energyOf, move, newBodies, push, type Bodies } from './gravity.js'

const bodyCount = 96
const steps = 100

// Every body pulls every other one. Each rank keeps some of the bodies and adds up the pull on them,
// while copies of all positions travel round the ring: after `size` hops they have been everywhere.
export default async function main({ world }: Mpi) {
  const { rank, size } = world
  const right = (rank + 1) % size
  const left = (rank + size - 1) % size

  const first = (of: number) => Math.floor((of * bodyCount) / size)
  const mine = newBodies(bodyCount, first(rank), first(rank + 1))

  async function pullOnMine(): Promise<{ pull: Float64Array; potential: number }> {
    const pull = new Float64Array(mine.positions.length)
    let potential = 0
    let visitors = mine.positions
    for (let hop = 0; hop < size; hop++) {
      // Pass the visitors on first and compute while they travel. Nobody writes to them.
      const incoming = world.irecv<Float64Array>({ source: left })
      const outgoing = world.isend(visitors, { dest: right })
      potential += addPull(pull, mine.positions, visitors)
      visitors = await incoming
      await outgoing
    }
    return { pull, potential }
  }

  async function totalEnergy(potential: number): Promise<number> {
    return await world.iallreduce(energyOf(mine, potential), SUM)
  }

  let { pull, potential } = await pullOnMine()
  const energyBefore = await totalEnergy(potential)
  for (let step = 0; step < steps; step++) {
    push(mine, pull)
    move(mine)
    ;({ pull, potential } = await pullOnMine())
    push(mine, pull)
  }
  const energyAfter = await totalEnergy(potential)

  // Rank 0 asks for the final positions and compares them with a run of its own.
  const sent = world.isend(mine.positions, { dest: 0 })
  if (rank === 0) {
    const serial = serialRun()
    let largest = 0
    for (let source = 0; source < size; source++) {
      const positions = await world.irecv<Float64Array>({ source })
      positions.forEach((value, index) => {
        const difference = Math.abs(value - serial.positions[3 * first(source) + index])
        largest = Math.max(largest, difference)
      })
    }
    const drift = Math.abs((energyAfter - energyBefore) / energyBefore)
    console.log(`${bodyCount} bodies, ${steps} steps, ${size} ranks`)
    console.log(`energy ${energyBefore.toFixed(6)}, relative drift ${drift.toExponential(1)}`)
    // Each rank adds the pulls in another order, and floating-point sums depend on the order a little.
    console.log(`largest difference to a serial run ${largest.toExponential(1)}`)
    if (!(largest < 1e-9 && drift < 1e-3)) throw new Error('FAIL: not the motion of a serial run')
    console.log('PASS: the bodies are where a serial run puts them, and energy is kept')
  }
  await sent
}

function serialRun(): Bodies {
  const all = newBodies(bodyCount, 0, bodyCount)
  const pullOnAll = () => {
    const pull = new Float64Array(all.positions.length)
    addPull(pull, all.positions, all.positions)
    return pull
  }
  let pull = pullOnAll()
  for (let step = 0; step < steps; step++) {
    push(all, pull)
    move(all)
    pull = pullOnAll()
    push(all, pull)
  }
  return all
}
