// The reduction loop. An operation is a class with a `vector` and a `scalar` method; it is never
// instantiated: the loop calls the methods on a null reference, so that they are inlined.

const VECTOR_BYTES: usize = 16
const UNROLL_BYTES: usize = 64

/** A reduction of two operands; `lower` belongs to the lower rank. */
export abstract class Operation<T extends number> {
  abstract vector(lower: v128, higher: v128): v128
  abstract scalar(lower: T, higher: T): T
}

/**
 * target[i] = lower[i] op higher[i] for `count` elements of type `T`. `target` may be `lower` or
 * `higher`; any other overlap is an error of the caller.
 */
export function reduce<T extends number, Op extends Operation<T>>(
  target: usize,
  lower: usize,
  higher: usize,
  count: usize,
): void {
  const op = changetype<Op>(0)
  let bytes = count * sizeof<T>()
  while (bytes >= UNROLL_BYTES) {
    const first = op.vector(v128.load(lower), v128.load(higher))
    const second = op.vector(v128.load(lower, 16), v128.load(higher, 16))
    const third = op.vector(v128.load(lower, 32), v128.load(higher, 32))
    const fourth = op.vector(v128.load(lower, 48), v128.load(higher, 48))
    v128.store(target, first)
    v128.store(target, second, 16)
    v128.store(target, third, 32)
    v128.store(target, fourth, 48)
    target += UNROLL_BYTES
    lower += UNROLL_BYTES
    higher += UNROLL_BYTES
    bytes -= UNROLL_BYTES
  }
  while (bytes >= VECTOR_BYTES) {
    v128.store(target, op.vector(v128.load(lower), v128.load(higher)))
    target += VECTOR_BYTES
    lower += VECTOR_BYTES
    higher += VECTOR_BYTES
    bytes -= VECTOR_BYTES
  }
  while (bytes > 0) {
    store<T>(target, op.scalar(load<T>(lower), load<T>(higher)))
    target += sizeof<T>()
    lower += sizeof<T>()
    higher += sizeof<T>()
    bytes -= sizeof<T>()
  }
}
