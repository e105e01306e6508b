import { CONTEXT_ID_COUNTER_WORD, OutOfMemory, type WorldMemory } from '@commworld/transport'
import { CommunicatorState, CONTEXTS_EACH } from '../comm/communicator-state.js'
import { Board, boardBytes } from '../device/board.js'
import type { Endpoint } from '../device/endpoint.js'
import { CommunicatorError, NoMemoryError } from '../errors/index.js'
import type { Membership } from './membership.js'

// What the leader of a new communicator tells its members, in numbers:
//
//   context, address of the board (0 where there is one rank)
//   NO_MEMORY, bytes asked for, bytes free, bytes in all
//   NO_CONTEXT
const NO_MEMORY = -1
const NO_CONTEXT = -2
/** Context ids are 32 bits in messages, and never used again. */
const CONTEXT_MAX = 2 ** 31 - CONTEXTS_EACH

/** Takes context ids and memory for a communicator of `size` ranks: by its leader, for all of them. */
export function found(memory: WorldMemory, size: number, slotBytes: number): Float64Array {
  const { i32, heap } = memory
  const counter = CONTEXT_ID_COUNTER_WORD >> 2
  if (Atomics.load(i32, counter) > CONTEXT_MAX) return Float64Array.of(NO_CONTEXT)
  try {
    const address = size === 1 ? 0 : heap.allocate(boardBytes(size, slotBytes))
    // Atomic: leaders of several groups take theirs at the same time.
    return Float64Array.of(Atomics.add(i32, counter, CONTEXTS_EACH), address)
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error
    const { requestedBytes, freeBytes, capacityBytes } = error
    return Float64Array.of(NO_MEMORY, requestedBytes, freeBytes, capacityBytes)
  }
}

/** Gives back what was taken for a communicator that will not be. */
export function unfound(memory: WorldMemory, founded: Float64Array): void {
  if (founded[0]! >= 0 && founded[1] !== 0) memory.heap.free(founded[1]!)
}

/**
 * The communicator as one of its members has it.
 *
 * @throws NoMemoryError when its leader found no memory for it
 */
export function join(
  memory: WorldMemory,
  endpoint: Endpoint,
  slotBytes: number,
  founded: Float64Array,
  { name, members, rank, grid }: Membership,
): CommunicatorState {
  const [context = NO_CONTEXT, address = 0] = founded
  if (context === NO_MEMORY) {
    const [, requestedBytes = 0, freeBytes = 0, capacityBytes = 0] = founded
    throw new NoMemoryError({ requestedBytes, freeBytes, capacityBytes })
  }
  if (context === NO_CONTEXT) {
    const problem = 'cannot be made: this world has made as many communicators as can be told apart'
    throw new CommunicatorError({ communicator: name, problem })
  }
  return new CommunicatorState({
    name,
    context,
    group: members.every((world, index) => world === index) ? undefined : members,
    rank,
    size: members.length,
    board:
      address === 0
        ? undefined
        : new Board(memory, endpoint, { address, slotBytes, rank, size: members.length, members }),
    grid,
  })
}
