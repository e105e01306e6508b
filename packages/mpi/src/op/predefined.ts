import * as bigints from './combine-bigints.js'
import * as numbers from './combine-numbers.js'
import { Op } from './op.js'

/** Sum. MPI 4.1, 6.9.2. */
export const SUM: Op = Op.predefined('SUM', {
  form: 'elements',
  reduction: 'sum',
  number: numbers.sum,
  bigint: bigints.sum,
  floats: true,
})

/** Product. MPI 4.1, 6.9.2. */
export const PROD: Op = Op.predefined('PROD', {
  form: 'elements',
  reduction: 'prod',
  number: numbers.product,
  integer: numbers.integerProduct,
  bigint: bigints.product,
  floats: true,
})

/** Largest; not-a-number if one is. MPI 4.1, 6.9.2. */
export const MAX: Op = Op.predefined('MAX', {
  form: 'elements',
  reduction: 'max',
  number: numbers.maximum,
  bigint: bigints.maximum,
  floats: true,
})

/** Smallest; not-a-number if one is. MPI 4.1, 6.9.2. */
export const MIN: Op = Op.predefined('MIN', {
  form: 'elements',
  reduction: 'min',
  number: numbers.minimum,
  bigint: bigints.minimum,
  floats: true,
})

/** Whether all are true: of booleans a boolean, of integers 1 or 0. MPI 4.1, 6.9.2. */
export const LAND: Op = Op.predefined('LAND', {
  form: 'elements',
  reduction: 'land',
  number: numbers.logicalAnd,
  bigint: bigints.logicalAnd,
  boolean: (lower, higher) => lower && higher,
  floats: false,
})

/** Whether one is true: of booleans a boolean, of integers 1 or 0. MPI 4.1, 6.9.2. */
export const LOR: Op = Op.predefined('LOR', {
  form: 'elements',
  reduction: 'lor',
  number: numbers.logicalOr,
  bigint: bigints.logicalOr,
  boolean: (lower, higher) => lower || higher,
  floats: false,
})

/** Whether an odd number is true: of booleans a boolean, of integers 1 or 0. MPI 4.1, 6.9.2. */
export const LXOR: Op = Op.predefined('LXOR', {
  form: 'elements',
  reduction: 'lxor',
  number: numbers.logicalXor,
  bigint: bigints.logicalXor,
  boolean: (lower, higher) => lower !== higher,
  floats: false,
})

/** Bits that all have, of integers. MPI 4.1, 6.9.2. */
export const BAND: Op = Op.predefined('BAND', {
  form: 'elements',
  reduction: 'band',
  number: numbers.bitAnd,
  bigint: bigints.bitAnd,
  floats: false,
})

/** Bits that one has, of integers. MPI 4.1, 6.9.2. */
export const BOR: Op = Op.predefined('BOR', {
  form: 'elements',
  reduction: 'bor',
  number: numbers.bitOr,
  bigint: bigints.bitOr,
  floats: false,
})

/** Bits that an odd number has, of integers. MPI 4.1, 6.9.2. */
export const BXOR: Op = Op.predefined('BXOR', {
  form: 'elements',
  reduction: 'bxor',
  number: numbers.bitXor,
  bigint: bigints.bitXor,
  floats: false,
})

/**
 * The largest value and the smallest index it is at: of values `{ value, index }`, or of memory where
 * pairs (value, index) lie one after the other. MPI 4.1, 6.9.4.
 */
export const MAXLOC: Op = Op.predefined('MAXLOC', {
  form: 'pairs',
  better: (value, than) => value > than,
})

/** The smallest value and the smallest index it is at; as MAXLOC. MPI 4.1, 6.9.4. */
export const MINLOC: Op = Op.predefined('MINLOC', {
  form: 'pairs',
  better: (value, than) => value < than,
})

/** All of them; the place of each is its number in agreements. Append only. */
export const predefined: readonly Op[] = [
  ...[SUM, PROD, MAX, MIN, LAND, LOR, LXOR, BAND, BOR, BXOR, MAXLOC, MINLOC],
]
