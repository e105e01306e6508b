import { casesOf, type Case, type CheckOptions } from '@commworld/mpi/inspect'
import type { Algorithm } from '@commworld/mpi/plan'
import { cutFault } from './cut-fault.js'
import { Sketch } from './drawing.js'
import { AlgorithmFaultError, faultText, type AlgorithmFault } from './fault.js'
import { runCase, type CaseFault } from './run-case.js'

/** What to check an algorithm for; everything in sensible amounts when left out. */
export interface AlgorithmCheck {
  /** Numbers of ranks, or the highest of all from 1 on. Default 17. */
  readonly ranks?: number | readonly number[]
  /** Roots: a list (those that there are), or those for a number of ranks. Default all. */
  readonly roots?: readonly number[] | ((ranks: number) => readonly number[])
  /** Into how many blocks a vector is cut. Default what the algorithm says for several lengths. */
  readonly blocks?: readonly number[] | ((ranks: number) => readonly number[])
  /** How the rounds branch, for algorithms with a radix. Default its own, 2, 3 and 5. */
  readonly radices?: readonly number[]
  /** After so long in one case an algorithm is taken to be endless. Default 20 s. */
  readonly timeoutMs?: number
  /** Told how many cases are done, now and then. */
  readonly progress?: (done: { readonly cases: number; readonly ranks: number }) => void
}

const RANKS = 17
const TIMEOUT_MS = 20_000
const PROGRESS_MS = 1000
/** Wrong costs may hide wrong results of a few ranks more: so many sizes further on are looked at. */
const SIZES_BEYOND = 8

/**
 * Runs an algorithm of a collective on symbols, without memory or messages: for every number of
 * ranks, root, number of blocks, in place and not. Says what is wrong in the smallest case in
 * which anything is, or nothing.
 *
 * What is checked: that rounds say the same whenever they are asked; each contribution exactly once, and in rank order unless the algorithm is for
 * commutative operations only; the same tree on all ranks of an allreduce; that sends which
 * wait for their receivers do not deadlock; lengths, leftovers, ranges; races of ranks that share
 * memory; that nobody leaves a barrier early; `rounds` and `volume` as declared.
 *
 * @example
 * const fault = checkAlgorithm(myRing, { ranks: 64 })
 * if (fault !== undefined) console.log(fault.text)
 */
export function checkAlgorithm(
  algorithm: Algorithm,
  options: AlgorithmCheck = {},
): AlgorithmFault | undefined {
  const { timeoutMs = TIMEOUT_MS } = options
  let cheaper: AlgorithmFault | undefined
  let cases = 0
  let told = performance.now()
  const checked = checkOptions(options)
  const misfit = smallestMisfit(algorithm, checked.ranks)
  for (const run of casesOf(algorithm, { ...checked, ranks: misfit?.before ?? checked.ranks })) {
    if (cheaper !== undefined && run.size > cheaper.run.size + SIZES_BEYOND) break
    const fault = runCase(algorithm, run, { timeoutMs })
    if (fault !== undefined && !isCost(fault))
      return described(algorithm, run, fault, cases, timeoutMs)
    if (fault !== undefined) cheaper ??= described(algorithm, run, fault, cases, timeoutMs)
    cases++
    if (options.progress === undefined || performance.now() - told < PROGRESS_MS) continue
    told = performance.now()
    options.progress({ cases, ranks: run.size })
  }
  return misfit === undefined ? cheaper : uncut(algorithm, misfit, cases)
}

/**
 * The same for tests: throws when anything is wrong.
 *
 * @throws {AlgorithmFaultError}
 * @example
 * test('my ring is right', () => assertAlgorithm(myRing, { ranks: 64 }))
 */
export function assertAlgorithm(algorithm: Algorithm, options: AlgorithmCheck = {}): void {
  const fault = checkAlgorithm(algorithm, options)
  if (fault !== undefined) throw new AlgorithmFaultError(fault)
}

interface Misfit {
  readonly size: number
  readonly fault: CaseFault
  /** Numbers of ranks that are fewer. */
  readonly before: readonly number[]
}

/** The fewest ranks for which `cut` gives no number of blocks. */
function smallestMisfit(algorithm: Algorithm, ranks: readonly number[]): Misfit | undefined {
  for (const [index, size] of ranks.entries()) {
    const fault = isPossible(algorithm, size) ? cutFault(algorithm, size) : undefined
    if (fault !== undefined) return { size, fault, before: ranks.slice(0, index) }
  }
  return undefined
}

/** `cut` is asked for numbers of ranks that the algorithm is for. */
function isPossible({ needs }: Algorithm, size: number): boolean {
  if (needs.powerOfTwo && !Number.isInteger(Math.log2(size))) return false
  return !(needs.evenSize && size % 2 !== 0) && size >= (needs.sizeMin ?? 1)
}

function uncut(algorithm: Algorithm, { size, fault }: Misfit, casesBefore: number): AlgorithmFault {
  const run: Case = { ...NO_CASE, size }
  const { kind, rank, text: summary } = fault
  const text = faultText(algorithm, run, fault, { lines: [], casesBefore })
  return { kind, algorithm, run, rank, summary, text, casesBefore }
}

const NO_CASE = { root: 0, blocks: 0, radix: 0, slots: false, inPlace: false, runner: 0 }

function isCost({ kind }: CaseFault): boolean {
  return kind === 'rounds' || kind === 'volume'
}

/** Runs it once more, with somebody who looks on. */
function described(
  algorithm: Algorithm,
  run: Case,
  fault: CaseFault,
  casesBefore: number,
  timeoutMs: number,
): AlgorithmFault {
  const sketch = new Sketch()
  if (fault.kind !== 'endless') runCase(algorithm, run, { timeoutMs, observer: sketch })
  const { kind, rank, text: summary } = fault
  const lines = sketch.lines(run.size)
  const text = faultText(algorithm, run, fault, { lines, casesBefore })
  return { kind, algorithm, run, rank, summary, text, casesBefore }
}

function checkOptions({
  ranks = RANKS,
  roots,
  blocks,
  radices,
}: AlgorithmCheck): CheckOptions & { readonly ranks: readonly number[] } {
  const sizes = typeof ranks === 'number' ? Array.from({ length: ranks }, (_, i) => i + 1) : ranks
  for (const size of sizes) {
    if (!Number.isInteger(size) || size < 1) {
      throw new RangeError(`a number of ranks is a whole number from 1, not ${size}`)
    }
  }
  const exists = (size: number) => (root: number) => root < size
  return {
    ranks: sizes.toSorted((a, b) => a - b),
    ...(roots && {
      roots: typeof roots === 'function' ? roots : (size) => roots.filter(exists(size)),
    }),
    ...(blocks && { blocks: typeof blocks === 'function' ? blocks : () => blocks }),
    ...(radices && { radices }),
  }
}
