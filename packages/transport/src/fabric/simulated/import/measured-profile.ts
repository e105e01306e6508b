import type { NetworkProfile } from '../profile/profile.js'
import type { Knot } from '../profile/size-table.js'
import { ImportError } from './import-error.js'

/**
 * A profile with the half round trips of `osu_latency` (OSU micro-benchmarks: size, microseconds); what
 * that does not say stays that of `base`.
 *
 * @throws ImportError with the line
 */
export function profileFromOsu(text: string, base: NetworkProfile, file = 'osu'): NetworkProfile {
  const knots: Knot[] = []
  eachRow(text, file, (numbers, line) => {
    const [bytes, us] = numbers
    if (bytes === undefined || us === undefined) {
      throw new ImportError(file, line, 'a row of osu_latency has a size and a latency')
    }
    addKnot(knots, { bytes, ns: us * 1000 }, file, line)
  })
  return fitted(knots, base, file, 'osu_latency')
}

/**
 * A profile from the LogGP table of Netgauge: size, repetitions, round trips, L, overheads, g and G in
 * microseconds. Lines may be there twice, and differences `-nan`.
 *
 * @throws ImportError with the line
 */
export function profileFromNetgauge(
  text: string,
  base: NetworkProfile,
  file = 'netgauge',
): NetworkProfile {
  const knots: Knot[] = []
  const overheads: [send: number, receive: number][] = []
  const gaps: number[] = []
  eachRow(text, file, (numbers, line) => {
    if (numbers.length < 10) {
      throw new ImportError(file, line, `a row of Netgauge's LogGP has 10 columns or more`)
    }
    const [bytes, , roundTrip, , , , send, receive, gap] = numbers as [number, ...number[]]
    if (knots.at(-1)?.bytes === bytes) return
    addKnot(knots, { bytes, ns: roundTrip! * 500 }, file, line)
    if (bytes <= 1024) overheads.push([send! * 1000, receive! * 1000])
    if (bytes <= 1024 && gap! > 0) gaps.push(gap! * 1000)
  })
  const profile = fitted(knots, base, file, 'Netgauge')
  const source = `Netgauge, ${file}: median up to 1 KiB`
  const value = (list: number[]): number => list.sort((a, b) => a - b)[list.length >> 1]!
  const start = profile.knots[0]!.ns
  const bounded = (list: number[]): number => Math.min(value(list), start / 2.5)
  return {
    ...profile,
    sendOverheadNs: { value: bounded(overheads.map(([send]) => send)), source },
    receiveOverheadNs: { value: bounded(overheads.map(([, receive]) => receive)), source },
    gapNs: gaps.length > 0 ? { value: value(gaps), source } : base.gapNs,
  }
}

function eachRow(
  text: string,
  file: string,
  visit: (numbers: number[], line: number) => void,
): void {
  text.split(/\r?\n/).forEach((raw, index) => {
    const content = raw.trim()
    if (content === '' || content.startsWith('#')) return
    const words = content.split(/\s+/)
    const numbers = words.map((word) => (/^-?nan$/i.test(word) ? NaN : Number(word)))
    if (numbers.some((n, i) => Number.isNaN(n) && !/^-?nan$/i.test(words[i]!))) {
      throw new ImportError(file, index + 1, `not a row of numbers: ${content.slice(0, 40)}`)
    }
    visit(numbers, index + 1)
  })
}

function addKnot(knots: Knot[], knot: Knot, file: string, line: number): void {
  const before = knots.at(-1)
  if (before !== undefined && !(knot.bytes > before.bytes)) {
    throw new ImportError(file, line, `size ${knot.bytes} follows ${before.bytes}: sizes must grow`)
  }
  if (!(knot.ns > 0)) throw new ImportError(file, line, `${knot.ns / 1000} us is no time`)
  // A shorter message that took longer was disturbed: the longer one tells more.
  knots.push(knot)
}

function fitted(
  measured: readonly Knot[],
  base: NetworkProfile,
  file: string,
  program: string,
): NetworkProfile {
  if (measured.length < 2) throw new ImportError(file, 0, 'a profile needs two sizes at least')
  const source = `${program}, ${file}`
  const knots = rising(measured)
  const last = knots.at(-1)!
  const before = knots.findLast(({ bytes }) => bytes <= last.bytes / 4) ?? knots[0]!
  const slope = (last.ns - before.ns) / (last.bytes - before.bytes)
  const start = knots[0]!.ns
  const within = (overhead: NetworkProfile['sendOverheadNs']): NetworkProfile['sendOverheadNs'] =>
    overhead.value <= start / 2.5
      ? overhead
      : { value: start / 5, source: 'a fifth of the half round trip', estimate: true }
  return {
    ...base,
    name: `${base.name}-measured`,
    title: `${base.title}, as measured`,
    knots,
    knotsSource: source,
    sendOverheadNs: within(base.sendOverheadNs),
    receiveOverheadNs: within(base.receiveOverheadNs),
    nsPerByte: { value: slope, source: `${source}: slope of the last sizes` },
  }
}

/** Times never fall from size to size. */
function rising(knots: readonly Knot[]): Knot[] {
  let least = Infinity
  return knots
    .toReversed()
    .map(({ bytes, ns }) => {
      least = Math.min(least, ns)
      return { bytes, ns: least }
    })
    .toReversed()
}
