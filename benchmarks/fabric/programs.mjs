// Messages a second of programs in virtual time, through the whole library with coroutine ranks.
//
// Time is that of the processor, so that other work on the machine counts less.
//
// Usage: node benchmarks/fabric/programs.mjs

import { SUM } from '@commworld/mpi'
import { simulate } from '@commworld/mpi/simulate'
import { fabricModel, kAryNTree, profileNamed, routingNamed } from '@commworld/transport/simulated'

const MESSAGES = 400_000
const programs = {
  async ring({ world, alloc }, times) {
    const { rank, size } = world
    const out = alloc(Float64Array, 1)
    const into = alloc(Float64Array, 1)
    for (let i = 0; i < times; i++) {
      const receive = world.irecvInto(into, { source: (rank + size - 1) % size })
      await world.isend(out, { dest: (rank + 1) % size })
      await receive
    }
  },
  async allreduce({ world, alloc }, times) {
    const out = alloc(Float64Array, 1)
    const into = alloc(Float64Array, 1)
    for (let i = 0; i < times; i++) await world.iallreduceInto(out, into, SUM)
  },
}

console.log('program    ranks  layer  messages    cpu s  messages/s  of them to set up, s')
for (const [name, ranks, layer] of [
  ['ring', 256, 1],
  ['ring', 256, 2],
  ['ring', 4096, 1],
  ['allreduce', 256, 1],
  ['allreduce', 4096, 1],
]) {
  const routing = routingNamed(kAryNTree({ k: 16, n: 3 }), 'd-mod-k')
  const model = fabricModel({ routing, network: profileNamed('hdr'), layer })
  const each = name === 'ring' ? 1 : Math.log2(ranks)
  const times = Math.max(1, Math.round(MESSAGES / ranks / each))
  const before = process.cpuUsage()
  let setUp
  const { messages } = await simulate(
    ranks,
    (mpi) => {
      setUp ??= seconds(process.cpuUsage(before))
      return programs[name](mpi, times)
    },
    { model },
  )
  const all = seconds(process.cpuUsage(before))
  const rate = Math.round(messages / (all - setUp))
  console.log(
    name.padEnd(9),
    String(ranks).padStart(6),
    String(layer).padStart(6),
    String(messages).padStart(9),
    all.toFixed(2).padStart(8),
    String(rate).padStart(11),
    setUp.toFixed(2).padStart(21),
  )
}

function seconds({ user, system }) {
  return (user + system) / 1e6
}
