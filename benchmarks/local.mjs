// Runs of `local` a second, beside hand-overs between two bare async functions in the same seconds: how
// many of those a small world costs.
//
// Time is that of the processor, so that other work on the machine counts less. Rounds of both take turns,
// and the best of each counts.
//
// Usage: node benchmarks/local.mjs [rounds]

import { local, SUM } from '@commworld/mpi'

const ROUNDS = Number(process.argv[2] ?? 15)
const ROUND_SECONDS = 0.1

const programs = {
  nothing: () => 0,
  allreduce: ({ world }) => world.iallreduce(world.rank, SUM),
  async ring({ world }) {
    const { rank, size } = world
    const receive = world.irecv({ source: (rank + size - 1) % size })
    await world.isend(rank, { dest: (rank + 1) % size })
    return receive
  },
}

console.log('program    ranks  runs/cpu s  us/rank  hand-overs/cpu s  hand-overs a run')
for (const [name, main] of Object.entries(programs)) {
  for (const ranks of [2, 8, 64]) {
    let runs = 0
    let handOvers = 0
    for (let round = 0; round < ROUNDS; round++) {
      runs = Math.max(runs, await rate(() => local(ranks, main), Math.ceil(64 / ranks)))
      handOvers = Math.max(handOvers, 2 * (await rate(() => turns(500), 2)) * 500)
    }
    console.log(
      name.padEnd(9),
      String(ranks).padStart(6),
      runs.toFixed(0).padStart(11),
      (1e6 / runs / ranks).toFixed(1).padStart(8),
      handOvers.toFixed(0).padStart(17),
      (handOvers / runs).toFixed(0).padStart(17),
    )
  }
}

/** How often a second of processor time `action` runs, in batches of so many. */
async function rate(action, batch) {
  const start = process.cpuUsage()
  let done = 0
  for (;;) {
    for (let i = 0; i < batch; i++) await action()
    done += batch
    const { user, system } = process.cpuUsage(start)
    const seconds = (user + system) / 1e6
    if (seconds > ROUND_SECONDS) return done / seconds
  }
}

/** Two async functions that hand over to each other by promises, `times` times each. */
async function turns(times) {
  let wake = () => {}
  let turn = 0
  async function player(number) {
    for (let i = 0; i < times; i++) {
      if (turn !== number) await new Promise((resolve) => (wake = resolve))
      turn = 1 - number
      wake()
    }
  }
  await Promise.all([player(0), player(1)])
}
