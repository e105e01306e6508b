import type { Combine } from './combine-numbers.js'

export const sum: Combine<bigint> = (lower, higher) => lower + higher
export const product: Combine<bigint> = (lower, higher) => lower * higher
export const maximum: Combine<bigint> = (lower, higher) => (lower > higher ? lower : higher)
export const minimum: Combine<bigint> = (lower, higher) => (lower < higher ? lower : higher)

export const logicalAnd: Combine<bigint> = (lower, higher) =>
  lower !== 0n && higher !== 0n ? 1n : 0n
export const logicalOr: Combine<bigint> = (lower, higher) =>
  lower !== 0n || higher !== 0n ? 1n : 0n
export const logicalXor: Combine<bigint> = (lower, higher) =>
  (lower !== 0n) === (higher !== 0n) ? 0n : 1n

export const bitAnd: Combine<bigint> = (lower, higher) => lower & higher
export const bitOr: Combine<bigint> = (lower, higher) => lower | higher
export const bitXor: Combine<bigint> = (lower, higher) => lower ^ higher
