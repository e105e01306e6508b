import type { Algorithm, Emit, Environment } from '@commworld/mpi/plan'

/** A small fault that is put into an algorithm on its way to the schedule. */
export interface Mutation {
  readonly name: string
  change(emit: Emit, k: number, env: Environment): Partial<Emit>
}

const nothing = (): void => {}

/** Faults as people make them: a lost block, a swapped operand, a peer or a block that is one off. */
export const mutations: readonly Mutation[] = [
  { name: 'no send', change: () => ({ send: nothing }) },
  { name: 'no receive', change: () => ({ receive: nothing }) },
  { name: 'no fold', change: () => ({ reduce: nothing }) },
  { name: 'no receive with fold', change: () => ({ receiveReduce: nothing }) },
  { name: 'no copy', change: () => ({ copy: nothing }) },
  {
    name: 'a copy left out in the first round',
    change: (_, k) => (k === 0 ? { copy: nothing } : {}),
  },
  {
    name: 'the operand on the other side',
    change: (emit) => ({
      receiveReduce: (peer, buffer, index, count, side) =>
        emit.receiveReduce(peer, buffer, index, count, side === 0 ? 1 : 0),
      reduce: (from, index, to, toIndex, count, side) =>
        emit.reduce(from, index, to, toIndex, count, side === 0 ? 1 : 0),
    }),
  },
  {
    name: 'a fold that overwrites',
    change: (emit) => ({
      receiveReduce: (peer, buffer, index, count) => emit.receive(peer, buffer, index, count),
    }),
  },
  {
    name: 'a reduce that copies',
    change: (emit) => ({
      reduce: (from, index, to, toIndex, count) => emit.copy(from, index, to, toIndex, count),
    }),
  },
  {
    name: 'sends to the next peer',
    change: (emit, _, { size }) => ({
      send: (peer, ...rest) => emit.send((peer + 1) % size, ...rest),
    }),
  },
  {
    name: 'receives from the next peer',
    change: (emit, _, { size }) => ({
      receive: (peer, ...rest) => emit.receive((peer + 1) % size, ...rest),
    }),
  },
  {
    name: 'sends the next block',
    change: (emit) => ({
      send: (peer, buffer, index, count) => emit.send(peer, buffer, index + 1, count),
    }),
  },
  {
    name: 'receives into the next block',
    change: (emit) => ({
      receive: (peer, buffer, index, count) => emit.receive(peer, buffer, index + 1, count),
    }),
  },
  {
    name: 'folds into the next block',
    change: (emit) => ({
      receiveReduce: (peer, buffer, index, count, side) =>
        emit.receiveReduce(peer, buffer, index + 1, count, side),
    }),
  },
  {
    name: 'one block too few',
    change: (emit) => ({
      send: (peer, buffer, index, count = 1) => emit.send(peer, buffer, index, count - 1),
    }),
  },
  {
    name: 'the first send of a round twice',
    change: (emit) => {
      let sent = false
      return {
        send: (...words) => {
          emit.send(...words)
          if (!sent) emit.send(...words)
          sent = true
        },
      }
    },
  },
  {
    name: 'a fold twice',
    change: (emit) => ({
      reduce: (...words) => {
        emit.reduce(...words)
        emit.reduce(...words)
      },
    }),
  },
  {
    name: 'rounds one off from the second on',
    change: (_, k) => (k === 1 ? { send: nothing, receive: nothing } : {}),
  },
  {
    name: 'the last rank does nothing',
    change: (_, __, { rank, size }) =>
      rank === size - 1 && size > 2
        ? { send: nothing, receive: nothing, receiveReduce: nothing }
        : {},
  },
  { name: 'nobody waits to be published', change: () => ({ awaitPublished: nothing }) },
  { name: 'nobody waits at the end', change: () => ({ meet: nothing }) },
  { name: 'nobody publishes', change: () => ({ publish: nothing }) },
  { name: 'no get', change: () => ({ get: nothing, getReduce: nothing }) },
  { name: 'no put', change: () => ({ put: nothing }) },
  { name: 'no signal', change: () => ({ signal: nothing }) },
  { name: 'no waiting for signals', change: () => ({ await: nothing }) },
  {
    name: 'signals to the next peer',
    change: (emit, _, { size }) => ({ signal: (peer) => emit.signal((peer + 1) % size) }),
  },
]

/** The algorithm with the fault; `touched` tells whether it ever did anything. */
export function mutant(
  algorithm: Algorithm,
  { change }: Mutation,
): { readonly algorithm: Algorithm; touched(): boolean } {
  let touched = false
  const wrong: Algorithm = {
    ...algorithm,
    round(k, env, emit) {
      const changed = change(emit, k, env)
      const get = (_: Emit, name: string): unknown => {
        const own = changed[name as keyof Emit]
        if (own !== undefined) {
          touched = true
          return own
        }
        return (emit[name as keyof Emit] as (...words: unknown[]) => void).bind(emit)
      }
      algorithm.round(k, env, new Proxy(emit, { get }))
    },
  }
  return { algorithm: wrong, touched: () => touched }
}
