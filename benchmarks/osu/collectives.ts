/**
 * The collectives that `coll.ts` and `coll-overlap.ts` time; twin of `../native/collectives.h`.
 *
 * What is timed is a closure made before the loop. Messages are counted as OSU counts them: by block
 * where every rank has a block of its own (gather, scatter, allgather, alltoall), by the whole
 * vector in reductions, those that scatter included. Reductions add float64, the rest moves bytes.
 */
import { SUM, type Communicator, type Request } from '@commworld/mpi'
import type { Operands } from './operands.js'

export interface Collective {
  readonly title: string
  readonly element: 'byte' | 'float64'
  /** Messages that this rank's memory holds; absent: none. */
  readonly sendBlocks?: (world: Communicator) => number
  readonly recvBlocks?: (world: Communicator) => number
  /** How the vector is shared out among the ranks; absent: each gets the whole. */
  readonly shares?: 'equal' | 'nearly equal'
  /** What the sent memory holds; absent: the rank + 1. */
  readonly sent?: (block: number) => number
  /** What must have arrived in each block; undefined where the standard promises nothing. */
  readonly arrived?: (world: Communicator, block: number) => number | undefined
  readonly call: (world: Communicator, operands: Operands) => () => void
  readonly start: (world: Communicator, operands: Operands) => () => Request<void>
}

const one = () => 1
const each = ({ size }: Communicator) => size
const oneAtRoot = ({ rank }: Communicator) => (rank === 0 ? 1 : 0)
const eachAtRoot = ({ rank, size }: Communicator) => (rank === 0 ? size : 0)
const blockOwner = (_world: Communicator, block: number) => block + 1
const sumOf = (ranks: number) => (ranks * (ranks + 1)) / 2
const sumOfAll = ({ size }: Communicator) => sumOf(size)

const moves = { element: 'byte', sendBlocks: one, recvBlocks: one } as const
const reduces = { element: 'float64', sendBlocks: one, recvBlocks: one, arrived: sumOfAll } as const

export const COLLECTIVES = {
  barrier: {
    title: 'Barrier',
    element: 'byte',
    call: (world, { options }) => {
      return () => world.barrier(options)
    },
    start: (world, { options }) => {
      return () => world.ibarrier(options)
    },
  },
  bcast: {
    ...moves,
    title: 'Broadcast',
    sendBlocks: oneAtRoot,
    recvBlocks: (world) => 1 - oneAtRoot(world),
    arrived: () => 1,
    call: (world, { send, recv, options }) => {
      const memory = world.rank === 0 ? send : recv
      return () => world.bcastInto(memory, options)
    },
    start: (world, { send, recv, options }) => {
      const memory = world.rank === 0 ? send : recv
      return () => world.ibcastInto(memory, options)
    },
  },
  gather: {
    ...moves,
    title: 'Gather',
    recvBlocks: eachAtRoot,
    arrived: blockOwner,
    call: (world, { send, recv, options }) => {
      const target = world.rank === 0 ? recv : undefined
      return () => world.gatherInto(send, target, options)
    },
    start: (world, { send, recv, options }) => {
      const target = world.rank === 0 ? recv : undefined
      return () => world.igatherInto(send, target, options)
    },
  },
  scatter: {
    ...moves,
    title: 'Scatter',
    sendBlocks: eachAtRoot,
    sent: (block) => block + 1,
    arrived: ({ rank }) => rank + 1,
    call: (world, { send, recv, options }) => {
      const source = world.rank === 0 ? send : undefined
      return () => world.scatterInto(source, recv, options)
    },
    start: (world, { send, recv, options }) => {
      const source = world.rank === 0 ? send : undefined
      return () => world.iscatterInto(source, recv, options)
    },
  },
  allgather: {
    ...moves,
    title: 'Allgather',
    recvBlocks: each,
    arrived: blockOwner,
    call: (world, { send, recv, options }) => {
      return () => world.allgatherInto(send, recv, options)
    },
    start: (world, { send, recv, options }) => {
      return () => world.iallgatherInto(send, recv, options)
    },
  },
  alltoall: {
    ...moves,
    title: 'Alltoall',
    sendBlocks: each,
    recvBlocks: each,
    arrived: blockOwner,
    call: (world, { send, recv, options }) => {
      return () => world.alltoallInto(send, recv, options)
    },
    start: (world, { send, recv, options }) => {
      return () => world.ialltoallInto(send, recv, options)
    },
  },
  reduce: {
    ...reduces,
    title: 'Reduce',
    recvBlocks: oneAtRoot,
    call: (world, { send, recv, options }) => {
      const target = world.rank === 0 ? recv : undefined
      return () => world.reduceInto(send, target, SUM, options)
    },
    start: (world, { send, recv, options }) => {
      const target = world.rank === 0 ? recv : undefined
      return () => world.ireduceInto(send, target, SUM, options)
    },
  },
  allreduce: {
    ...reduces,
    title: 'Allreduce',
    call: (world, { send, recv, options }) => {
      return () => world.allreduceInto(send, recv, SUM, options)
    },
    start: (world, { send, recv, options }) => {
      return () => world.iallreduceInto(send, recv, SUM, options)
    },
  },
  reduceScatterBlock: {
    ...reduces,
    title: 'Reduce-scatter, equal blocks',
    shares: 'equal',
    call: (world, { send, recv, options }) => {
      return () => world.reduceScatterBlockInto(send, recv, SUM, options)
    },
    start: (world, { send, recv, options }) => {
      return () => world.ireduceScatterBlockInto(send, recv, SUM, options)
    },
  },
  reduceScatter: {
    ...reduces,
    title: 'Reduce-scatter',
    shares: 'nearly equal',
    call: (world, { send, recv, counts, options }) => {
      const blocks = { data: send, counts }
      return () => world.reduceScatterInto(blocks, recv, SUM, options)
    },
    start: (world, { send, recv, counts, options }) => {
      const blocks = { data: send, counts }
      return () => world.ireduceScatterInto(blocks, recv, SUM, options)
    },
  },
  scan: {
    ...reduces,
    title: 'Scan',
    arrived: ({ rank }) => sumOf(rank + 1),
    call: (world, { send, recv, options }) => {
      return () => world.scanInto(send, recv, SUM, options)
    },
    start: (world, { send, recv, options }) => {
      return () => world.iscanInto(send, recv, SUM, options)
    },
  },
  exscan: {
    ...reduces,
    title: 'Exscan',
    arrived: ({ rank }) => (rank === 0 ? undefined : sumOf(rank)),
    call: (world, { send, recv, options }) => {
      return () => world.exscanInto(send, recv, SUM, options)
    },
    start: (world, { send, recv, options }) => {
      return () => world.iexscanInto(send, recv, SUM, options)
    },
  },
} as const satisfies Record<string, Collective>

export type CollectiveName = keyof typeof COLLECTIVES
