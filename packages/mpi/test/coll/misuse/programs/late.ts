import { AgreementError, MAX, SUM, type Mpi } from '@commworld/mpi'

/** After many calls that agree, one that does not, to which the rank `late` comes a little later. */
export default function main({ world, args }: Mpi): string {
  const [rounds, late] = args.map(Number) as [number, number]
  for (let i = 0; i < rounds; i++) world.allreduce(i, SUM)
  if (world.rank === late) for (const until = performance.now() + 5; performance.now() < until;);
  try {
    return `${world.allreduce(world.rank, world.rank === 1 ? MAX : SUM)}`
  } catch (error) {
    if (error instanceof AgreementError)
      return `${error.called.reduction} is not ${error.first.reduction}`
    throw error
  }
}
