import { ArgumentError, CommunicatorError, RankError, TagError } from '../errors/index.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { Op } from '../op/index.js'
import { ANY } from '../p2p/matching/queued.js'
import {
  ANY_SOURCE,
  ANY_TAG,
  PROC_NULL,
  type Peer,
  type Source,
  type Tag,
} from '../p2p/sentinels.js'

/** Largest tag (MPI_TAG_UB). */
export const TAG_UPPER_BOUND = 0x3fffffff
/** Internal number for PROC_NULL; world ranks and ANY are other numbers. */
export const NOBODY = -2

/** World rank of a destination, or NOBODY. Untyped programs may leave the options out. */
export function destOf(
  communicator: CommunicatorState,
  options: { readonly dest: Peer } | undefined,
): number {
  const dest = options?.dest
  if (communicator.closed !== undefined) throw closedError(communicator, communicator.closed)
  if (isRank(dest, communicator.size)) return communicator.worldRank(dest)
  if (dest === PROC_NULL) return NOBODY
  throw rankError('dest', dest, communicator, ['PROC_NULL'])
}

/** World rank of a source, ANY, or NOBODY. Untyped programs may leave the options out. */
export function sourceOf(
  communicator: CommunicatorState,
  options: { readonly source: Source } | undefined,
): number {
  const source = options?.source
  if (communicator.closed !== undefined) throw closedError(communicator, communicator.closed)
  if (isRank(source, communicator.size)) return communicator.worldRank(source)
  if (source === ANY_SOURCE) return ANY
  if (source === PROC_NULL) return NOBODY
  throw rankError('source', source, communicator, ['ANY_SOURCE', 'PROC_NULL'])
}

export function tagToSend(tag: number | undefined, argument: string): number {
  if (tag === undefined) return 0
  if (isTag(tag)) return tag
  throw new TagError({ argument, tag, largest: TAG_UPPER_BOUND })
}

export function tagToReceive(tag: Tag | undefined, argument: string): number {
  if (tag === undefined || tag === ANY_TAG) return ANY
  if (isTag(tag)) return tag as number
  throw new TagError({ argument, tag, largest: TAG_UPPER_BOUND })
}

/** @throws CommunicatorError when it was freed, or its rank has ended */
export function checkOpen(communicator: CommunicatorState): CommunicatorState {
  if (communicator.closed !== undefined) throw closedError(communicator, communicator.closed)
  return communicator
}

/** @throws ArgumentError when `op` is no operation, OpError when it is not defined on the value */
export function checkOp(value: unknown, op: Op): void {
  checkIsOp(op)
  op.check(value)
}

/** @throws ArgumentError when `op` is no operation */
export function checkIsOp(op: Op): void {
  if (op instanceof Op) return
  const expected = 'a reduction, such as SUM or Op.create(...)'
  throw new ArgumentError({ argument: 'op', seen: op, expected })
}

function isRank(rank: unknown, size: number): rank is number {
  return typeof rank === 'number' && (rank | 0) === rank && rank >= 0 && rank < size
}

function isTag(tag: unknown): boolean {
  return typeof tag === 'number' && (tag | 0) === tag && tag >= 0 && tag <= TAG_UPPER_BOUND
}

function rankError(
  argument: string,
  rank: unknown,
  { name, size }: CommunicatorState,
  sentinels: readonly string[],
): RankError {
  return new RankError({ argument, rank, communicator: name, size, sentinels })
}

function closedError({ name }: CommunicatorState, problem: string): CommunicatorError {
  return new CommunicatorError({ communicator: name, problem })
}
