import type { Mpi } from '@commworld/mpi'

// MISTAKE: an error on one rank. The others would wait for ever for what it was going to send.
export default function main({ world }: Mpi) {
  if (world.rank === 0) {
    const settings = JSON.parse('{ "steps": 10, }') as { steps: number }
    for (let dest = 1; dest < world.size; dest++) world.send(settings.steps, { dest })
  } else {
    console.log(`rank ${world.rank}: ${world.recv<number>({ source: 0 })} steps`)
  }
}
