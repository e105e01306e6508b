// Runs of `local` a second at 2, 8 and 64 ranks, beside bare promise hand-overs in the same process:
// the same allreduce of one number by as many async functions that hand numbers on by promises.
//
//   node packages/testing/bench/local-rate.mjs

import { local, SUM } from '@commworld/mpi'
import { runWorld } from '@commworld/testing'

const SECONDS = 1
const ROUNDS = 3

/** Runs in a second of processor time: other load of the machine does not count. */
async function rateOf(run) {
  let best = 0
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage()
    const seconds = () => {
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1e6
    }
    let runs = 0
    while (runs % 16 !== 0 || seconds() < SECONDS) await run(runs++)
    best = Math.max(best, runs / seconds())
  }
  return best
}

/** Each rank hands its sum to the next, and the last one hands the total to all: 2 (p - 1) hand-overs. */
async function handOvers(ranks) {
  const slots = Array.from({ length: 2 * ranks }, () => Promise.withResolvers?.() ?? deferred())
  const rank = async (me) => {
    const before = me === 0 ? 0 : await slots[me - 1].promise
    slots[me].resolve(before + me)
    if (me === ranks - 1) for (let to = 0; to < ranks; to++) slots[ranks + to].resolve(before + me)
    return await slots[ranks + me].promise
  }
  return await Promise.all(Array.from({ length: ranks }, (_, me) => rank(me)))
}

function deferred() {
  let resolve
  const promise = new Promise((settle) => (resolve = settle))
  return { promise, resolve }
}

const main = ({ world }) => world.iallreduce(world.rank, SUM)
const nothing = async () => 0

console.log('ranks  hand-overs/s  local/s  hand-overs a run  runWorld/s  empty world/s')
for (const ranks of [2, 8, 64]) {
  const bare = (await rateOf(() => handOvers(ranks))) * 2 * (ranks - 1)
  const worlds = await rateOf((seed) => local(ranks, main, { seed }))
  const observed = await rateOf(() => runWorld(ranks, main))
  const empty = await rateOf((seed) => local(ranks, nothing, { seed }))
  const share = bare / worlds
  const columns = [
    String(ranks).padStart(5),
    bare.toExponential(2).padStart(12),
    worlds.toFixed(0).padStart(8),
    share.toFixed(0).padStart(16),
    observed.toFixed(0).padStart(11),
    empty.toFixed(0).padStart(14),
  ]
  console.log(columns.join('  '))
}
