const BYTES_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  kib: 2 ** 10,
  m: 2 ** 20,
  mib: 2 ** 20,
  g: 2 ** 30,
  gib: 2 ** 30,
}

/** What an error says when `parseSize` understood nothing. */
export const SIZE_GRAMMAR = 'a size such as 65536, 64KiB, 512MiB or 4GiB'

/** Bytes of `512MiB`, `1.5g`, `65536`; undefined when the text is no size. Units are powers of 1024. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim())
  if (!match) return undefined
  const unit = BYTES_PER_UNIT[match[2]!.toLowerCase()]
  if (unit === undefined) return undefined
  const bytes = Number(match[1]) * unit
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** The shortest exact spelling: `4GiB`, `1536MiB`, `1000B`. */
export function formatSize(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`
  }
  return `${bytes}B`
}
