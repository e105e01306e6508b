import type { Mpi } from '@commworld/mpi'

// MISTAKE: the tag is written down twice, and once it is wrong.
export default function main({ world }: Mpi) {
  if (world.rank === 0) {
    world.send(Float64Array.of(3.14), { dest: 1, tag: 7 })
  } else if (world.rank === 1) {
    const [value] = world.recv<Float64Array>({ source: 0, tag: 8 })
    console.log(`got ${value}`)
  }
}
