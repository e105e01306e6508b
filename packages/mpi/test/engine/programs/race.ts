import { ANY_SOURCE, type Mpi } from '@commworld/mpi'

/** All ranks but the first send it messages of several sizes; it takes what comes and answers. */
export default function main({ world }: Mpi): string[] {
  const log: string[] = []
  const messages = 3
  if (world.rank === 0) {
    for (let taken = 0; taken < (world.size - 1) * messages; taken++) {
      const message = world.mprobe({ source: ANY_SOURCE })
      const { source, tag } = message.status
      log.push(`${String(source)}:${tag}:${message.recv<Float64Array>().length}`)
      world.send(taken, { dest: source })
    }
    return log
  }
  for (let message = 0; message < messages; message++) {
    world.send(new Float64Array(message % 2 === 0 ? 1 : 3000), { dest: 0, tag: message })
    const answer = world.irecv<number>({ source: 0 })
    log.push(answer.test() ? 'early' : 'late')
    log.push(`${answer.wait()}`)
  }
  return log
}
