import { BIGINT64, FLOAT32, FLOAT64, type ElementKind, type TypedArray } from '../datatype/index.js'
import type { Combine } from './combine-numbers.js'
import type { ElementDefinition, PairDefinition } from './definition.js'

/**
 * Element by element into `higher`, with the same bits as the kernels on world memory: integers wrap
 * at the width of their kind (clamped ones saturate), float32 rounds once per step.
 */
export function combineElements(
  { number, integer = number, bigint }: ElementDefinition,
  kind: ElementKind,
  lower: TypedArray,
  higher: TypedArray,
): void {
  if (kind >= BIGINT64) fold(bigint, lower as BigInt64Array, higher as BigInt64Array)
  else {
    const float = kind === FLOAT32 || kind === FLOAT64
    fold(float ? number : integer, lower as Float64Array, higher as Float64Array)
  }
}

interface Elements<T> {
  readonly length: number
  [index: number]: T
}

function fold<T>(combine: Combine<T>, lower: Elements<T>, higher: Elements<T>): void {
  for (let i = 0; i < higher.length; i++) higher[i] = combine(lower[i]!, higher[i]!)
}

/** Pairs (value, index) that lie one after the other; the better pair goes into `higher`. */
export function combinePairs(
  definition: PairDefinition,
  lower: TypedArray,
  higher: TypedArray,
): void {
  for (let i = 0; i < higher.length; i += 2) {
    if (prefersFirst(definition, lower[i]!, lower[i + 1]!, higher[i]!, higher[i + 1]!)) {
      higher[i] = lower[i]!
      higher[i + 1] = lower[i + 1]!
    }
  }
}

type Scalar = number | bigint

/** Not-a-number beats every value, equal values go to the smaller index: no order changes the result. */
export function prefersFirst(
  { better }: PairDefinition,
  value: Scalar,
  index: Scalar,
  otherValue: Scalar,
  otherIndex: Scalar,
): boolean {
  if (better(value, otherValue)) return true
  if (better(otherValue, value)) return false
  const nan = value !== value
  const otherNan = otherValue !== otherValue
  return nan === otherNan ? index < otherIndex : nan
}
