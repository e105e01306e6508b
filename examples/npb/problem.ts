// What the benchmarks have in common before they start: the class of the problem, and its shares.

/** Sizes of a problem: S is a sample, W was a workstation's, A a parallel computer's. */
export type ProblemClass = 'S' | 'W' | 'A'

/** The first argument of the program, S without one. */
export function problemClassFrom(args: readonly string[]): ProblemClass {
  const name = args[0] ?? 'S'
  if (name === 'S' || name === 'W' || name === 'A') return name
  throw new Error(`there is no class ${name}: expected S, W or A`)
}

/** From `first` to before `end`. */
export type Share = { first: number; end: number; count: number }

/** Rank's part of `count` things that are dealt out in blocks as equal as can be. */
export function shareOf(count: number, { rank, size }: { rank: number; size: number }): Share {
  const first = Math.floor((rank * count) / size)
  const end = Math.floor(((rank + 1) * count) / size)
  return { first, end, count: end - first }
}
