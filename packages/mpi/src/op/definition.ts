import type { Combine } from './combine-numbers.js'

/** Names the wasm kernels of the reductions have in transport. */
export type Reduction =
  'sum' | 'prod' | 'max' | 'min' | 'land' | 'lor' | 'lxor' | 'band' | 'bor' | 'bxor'

/** A reduction on single elements. */
export interface ElementDefinition {
  readonly form: 'elements'
  readonly reduction: Reduction
  readonly number: Combine<number>
  /** For integers of up to 32 bits, where it differs. */
  readonly integer?: Combine<number>
  readonly bigint: Combine<bigint>
  readonly boolean?: Combine<boolean>
  /** Whether it is defined on floating point. */
  readonly floats: boolean
}

/** A reduction on pairs of a value and the index it is at. */
export interface PairDefinition {
  readonly form: 'pairs'
  /** Which of two different values stays. */
  readonly better: (value: number | bigint, than: number | bigint) => boolean
}

/** A function of the user. */
export interface FunctionDefinition {
  readonly form: 'function'
  readonly combine: (lower: unknown, higher: unknown) => unknown
}

export type Definition = ElementDefinition | PairDefinition | FunctionDefinition
