import { SUM, type Mpi } from '@commworld/mpi'

/** What an example of a docstring runs. */
export default function main({ world }: Mpi, step: number): number {
  return world.allreduce(step, SUM)
}
