import { entryAt } from '../diagnose/trace-entry.js'
import { TraceKind, type RankTrace } from '../record/trace.js'

/** The first call in which two runs of one program with the same choices differ. */
export interface Divergence {
  readonly rank: number
  /** How many calls of that rank were the same before. */
  readonly call: number
  readonly first: string
  readonly second: string
}

/** In words, with what usually causes it. */
export function describeDivergence({ rank, call, first, second }: Divergence): string {
  return (
    `the program is not a function of its choices: with the same ones, call ${call} of rank ${rank} ` +
    `was ${first} in one run and ${second} in the next. What usually causes it: Math.random, ` +
    `the clock (Date, performance.now), files, environment or network, a variable outside of ` +
    `main that keeps its value from run to run, or iteration over such a thing.`
  )
}

/** A program did different things with the same choices. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError'
  readonly divergence: Divergence

  constructor(divergence: Divergence) {
    super(describeDivergence(divergence))
    this.divergence = divergence
  }
}

/**
 * Where two runs differ first, by rank and call; `undefined` when they did the same.
 * @example
 * const [first, second] = [await runWorld(2, main), await runWorld(2, main)]
 * divergenceOf(first.traces(), second.traces()) // undefined
 */
export function divergenceOf(
  first: readonly RankTrace[],
  second: readonly RankTrace[],
): Divergence | undefined {
  let found: Divergence | undefined
  first.forEach((trace, rank) => {
    const other = second[rank]!
    const calls = Math.max(trace.length, other.length)
    for (let call = 0; call < Math.min(calls, found?.call ?? Infinity); call++) {
      const [seen, now] = [wordsOf(trace, call), wordsOf(other, call)]
      if (seen !== now) found = { rank, call, first: seen, second: now }
    }
  })
  return found
}

function wordsOf(trace: RankTrace, call: number): string {
  if (call >= trace.length) return 'the end'
  const { kind, name, a, c, d } = entryAt(trace, call)
  switch (kind) {
    case TraceKind.send:
      return `${name} to ${a} with tag ${d}`
    case TraceKind.receive:
    case TraceKind.probe:
      return `${name} with tag ${d < 0 ? 'any' : d} that got a message of ${a}`
    case TraceKind.collective:
      return a < 0 ? `${name} (${c})` : `${name} (${c}) with root ${a}`
    default:
      return `${name} for call ${a}`
  }
}
