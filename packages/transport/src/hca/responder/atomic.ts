import { COMPARE_AND_SWAP } from '../../wire/opcode.js'
import {
  ATOMIC_COMPARE,
  ATOMIC_OPERAND,
  SEGMENT_ADDRESS,
  WQE_CONTROL,
} from '../../wire/work-queue-entry.js'
import { WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import type { Hca } from '../hca.js'

/** Length of what an atomic works on. */
export const ATOMIC_BYTES = 8

/**
 * Carries out a compare-and-swap or a fetch-and-add of 64 bits on `address`, a multiple of 8; what was
 * there before. Addition wraps around. It is one atomic operation of the machine, so it is
 * indivisible for every HCA of the world, and for a program's `Atomics` on the same memory
 * (IBA vol. 1, 9.4.5: ATOMIC operations).
 */
export function operateAtomically(
  hca: Hca,
  opcode: number,
  address: number,
  operand: bigint,
  compare: bigint,
): bigint {
  const index = address / ATOMIC_BYTES
  if (opcode === COMPARE_AND_SWAP) {
    return Atomics.compareExchange(hca.i64, index, compare, operand) // the request itself
  }
  return Atomics.add(hca.i64, index, operand) // the request itself
}

/** The same as request `entry` asks, its result put where the request's one segment says. */
export function carryOutAtomic(hca: Hca, entry: number, address: number): void {
  const { i64, u32 } = hca
  const opcode = u32[(entry + WQE_CONTROL) >>> 2]! & 0xff
  const operand = i64[(entry + ATOMIC_OPERAND) >>> 3]!
  const compare = i64[(entry + ATOMIC_COMPARE) >>> 3]!
  const before = operateAtomically(hca, opcode, address, operand, compare)
  storeResult(hca, u32[(entry + WQE_SEGMENTS + SEGMENT_ADDRESS) >>> 2]!, before)
}

/** Writes a result of 8 bytes anywhere, aligned or not. */
export function storeResult(hca: Hca, address: number, value: bigint): void {
  new DataView(hca.i32.buffer).setBigInt64(address, value, true)
}
