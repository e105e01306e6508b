/** Where a selection changes from one algorithm to another. */

/**
 * Looks between neighbouring positions, to the byte; a pick that comes and goes between two of them
 * is not seen.
 *
 * @param {readonly number[]} positions ascending
 * @param {(position: number) => string | undefined} pick
 * @returns {{ at: number, from: string, to: string }[]} `at` is the first position of `to`
 */
export function thresholdsBetween(positions, pick) {
  const thresholds = []
  for (let i = 1; i < positions.length; i++) {
    const [from, to] = [pick(positions[i - 1]), pick(positions[i])]
    if (!from || !to || from === to) continue
    thresholds.push({ at: firstWith(to, positions[i - 1], positions[i], pick), from, to })
  }
  return thresholds
}

function firstWith(wanted, low, high, pick) {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (pick(middle) === wanted) high = middle
    else low = middle
  }
  return high
}
