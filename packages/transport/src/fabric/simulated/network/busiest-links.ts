/**
 * The numbers from 0 to `count` - 1 that come first, at most `most` of them; `before(a, b)` says whether a
 * comes before b, ties go to the smaller. Of a hundred thousand links a handful is wanted.
 */
export function firstOf(
  count: number,
  most: number,
  before: (a: number, b: number) => boolean,
): number[] {
  const first: number[] = []
  for (let candidate = 0; candidate < count; candidate++) {
    if (first.length === most && !before(candidate, first[most - 1]!)) continue
    let at = first.length
    while (at > 0 && before(candidate, first[at - 1]!)) at--
    first.splice(at, 0, candidate)
    if (first.length > most) first.pop()
  }
  return first
}
