/** Sizes as people write them: 8 B, 128 KiB; counts: 1 Mi; on a command line 8, 128K, 1M. */

const UNITS = ['', 'Ki', 'Mi', 'Gi']

export const sizeText = (bytes) => `${withUnit(bytes)}B`
export const countText = (count) => withUnit(count).trim()

function withUnit(number) {
  const power = number < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(number) / 10))
  return `${Number((number / 1024 ** power).toPrecision(4))} ${UNITS[power]}`
}

/** @returns {number | undefined} bytes, or undefined where the text is no size */
export function parseSize(text) {
  const match = /^(\d+)([KMG]?)(?:i?B)?$/i.exec(text)
  return match
    ? Number(match[1]) * 1024 ** ' KMG'.indexOf(match[2].toUpperCase() || ' ')
    : undefined
}
