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

/** Insertions, deletions and replacements that turn one word into another (Wagner, Fischer 1974). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced))
    }
    row = next
  }
  return row[b.length]!
}
