/** How two elements become one, for each reduction of the standard. `lower` is from the lower ranks. */
export type Combine<T> = (lower: T, higher: T) => T

/** Exact on 32-bit integers, where a product of doubles would lose its low bits. */
export const integerProduct: Combine<number> = Math.imul

export const sum: Combine<number> = (lower, higher) => lower + higher
export const product: Combine<number> = (lower, higher) => lower * higher
/** Not-a-number wins and -0 is below 0, so the result does not depend on the order. */
export const maximum: Combine<number> = (lower, higher) => Math.max(lower, higher)
export const minimum: Combine<number> = (lower, higher) => Math.min(lower, higher)

export const logicalAnd: Combine<number> = (lower, higher) => (lower !== 0 && higher !== 0 ? 1 : 0)
export const logicalOr: Combine<number> = (lower, higher) => (lower !== 0 || higher !== 0 ? 1 : 0)
export const logicalXor: Combine<number> = (lower, higher) =>
  (lower !== 0) === (higher !== 0) ? 0 : 1

/** Bits of integers as two's complement, exact up to 2^53: JavaScript's own operators stop at 32 bits. */
export const bitAnd: Combine<number> = (lower, higher) =>
  isInt32(lower) && isInt32(higher) ? lower & higher : Number(BigInt(lower) & BigInt(higher))
export const bitOr: Combine<number> = (lower, higher) =>
  isInt32(lower) && isInt32(higher) ? lower | higher : Number(BigInt(lower) | BigInt(higher))
export const bitXor: Combine<number> = (lower, higher) =>
  isInt32(lower) && isInt32(higher) ? lower ^ higher : Number(BigInt(lower) ^ BigInt(higher))

function isInt32(value: number): boolean {
  return (value | 0) === value
}
