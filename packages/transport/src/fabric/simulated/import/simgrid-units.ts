const PREFIXES: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

/** Bytes a second of `125MBps`, `10Gbps` or `1GiBps`; undefined when it is none of those. */
export function bandwidthOf(text: string): number | undefined {
  const match = /^([\d.]+(?:[eE][+-]?\d+)?)\s*(|k|M|G|T|Ki|Mi|Gi|Ti)(Bps|bps|)$/.exec(text.trim())
  if (match === null) return undefined
  const value = Number(match[1]) * PREFIXES[match[2]!]!
  return match[3] === 'bps' ? value / 8 : value
}

const SECONDS: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
  ps: 1e-12,
}

/** Seconds of `50us`; undefined when it is no time. */
export function secondsOf(text: string): number | undefined {
  const match = /^([\d.]+(?:[eE][+-]?\d+)?)\s*(s|ms|us|ns|ps|)$/.exec(text.trim())
  return match === null ? undefined : Number(match[1]) * SECONDS[match[2]!]!
}

/** Numbers of `0-3,8,10-12`, or undefined. */
export function radicalOf(text: string): number[] | undefined {
  const numbers: number[] = []
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part)
    if (match === null) return undefined
    const first = Number(match[1])
    const last = Number(match[2] ?? first)
    if (last < first || last - first > 1e7) return undefined
    for (let number = first; number <= last; number++) numbers.push(number)
  }
  return numbers
}
