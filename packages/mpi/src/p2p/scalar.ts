import type { WorldMemory } from '@commworld/transport'
import { BIGINT, NUMBER } from './message-kind.js'
import type { Payload } from './payload.js'

const SCALAR_BYTES = 8
const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** Whether a value travels as eight raw bytes: a number, or a bigint that fits in 64 bits. */
export function isScalar(value: unknown): value is number | bigint {
  if (typeof value === 'number') return true
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX
}

/** A number or a bigint. */
export class ScalarPayload implements Payload {
  readonly kind: number
  readonly bytes = SCALAR_BYTES
  readonly address = 0
  readonly #value: number | bigint

  constructor(value: number | bigint) {
    this.kind = typeof value === 'number' ? NUMBER : BIGINT
    this.#value = value
  }

  write(memory: WorldMemory, address: number): void {
    if (typeof this.#value === 'number') memory.f64[address >>> 3] = this.#value
    else memory.i64[address >>> 3] = this.#value
  }
}
