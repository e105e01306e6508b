/** The loop of the latency programs, native twin in `../native/ping-pong.h`. */
import type { Communicator } from '@commworld/mpi'

const TAG = 1

/** The side that is `first` sends, the other answers. */
export function pingPong(
  world: Communicator,
  buffers: { send: Uint8Array; recv: Uint8Array },
  { peer, first, iterations }: { peer: number; first: boolean; iterations: number },
): void {
  const { send, recv } = buffers
  const to = { dest: peer, tag: TAG }
  const from = { source: peer, tag: TAG }
  for (let i = 0; i < iterations; i++) {
    if (first) {
      world.send(send, to)
      world.recvInto(recv, from)
    } else {
      world.recvInto(recv, from)
      world.send(send, to)
    }
  }
}
