import type { Mpi } from '../../src/api/mpi.js'
import { ANY_SOURCE } from '../../src/p2p/sentinels.js'

/**
 * A program full of choices: all ranks but the first send it messages of several sizes, ask now and
 * then whether an answer has come, and wait for it. The first takes what comes and answers.
 *
 * @returns what each rank saw, in its order
 */
export async function race({ world }: Mpi, messages = 3): Promise<string[]> {
  const log: string[] = []
  if (world.rank === 0) {
    for (let taken = 0; taken < (world.size - 1) * messages; taken++) {
      const request = world.irecv<Float64Array>({ source: ANY_SOURCE })
      const value = await request
      const { source, tag } = request.status
      log.push(`${String(source)}:${tag}:${value.length}`)
      await world.isend(taken, { dest: source })
    }
    return log
  }
  for (let message = 0; message < messages; message++) {
    const answer = world.irecv<number>({ source: 0 })
    // Eager, by rendezvous, eager, ...
    const value = new Float64Array(message % 2 === 0 ? 1 : 500)
    await world.isend(value, { dest: 0, tag: message })
    log.push(answer.test() ? 'early' : 'late')
    log.push(`${await answer}`)
  }
  return log
}
