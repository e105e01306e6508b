/** The word that another was most probably meant to be, or undefined when none is near. */
export function nearestWord(word: string, words: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into another. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swaps = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = swaps ? beforeLast[j - 2]! + 1 : Infinity
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
