import { TESTS } from './tests.mjs'

const RULE = '-'.repeat(87)
/** Samples left out at the end of the sorted ones: perftest's LAT_MEASURE_TAIL. */
const TAIL = 2

/** What stands above the results, as perftest prints it. */
export function header(options, own, peer) {
  const test = TESTS[options.name]
  const row = (name, value, name2 = '', value2 = '') =>
    ` ${name.padEnd(16)}: ${String(value).padEnd(13)}${name2 && `${name2.padEnd(15)}: ${value2}`}`
  return [
    RULE,
    `                    ${test.title}`,
    row('Dual-port', 'OFF', 'Device', 'commworld0'),
    row('Number of qps', 1, 'Transport type', 'IB'),
    row('Connection type', 'RC', 'Using SRQ', 'OFF'),
    row('TX depth', options.depth),
    row('Mtu', `${options.mtuBytes}[B]`),
    row('Link type', 'IB'),
    row('Max inline data', `${options.inlineBytes}[B]`),
    row('rdma_cm QPs', 'OFF'),
    row('Data ex. method', 'shared memory'),
    RULE,
    address('local', own, test.oneSided),
    address('remote', peer, test.oneSided),
    RULE,
    test.kind === 'latency' ? LATENCY_COLUMNS : bandwidthColumns(options.gigabits),
  ].join('\n')
}

export const footer = RULE

function address(side, [lid, number, sequence, key, target], oneSided) {
  const hex = (value, digits) => `0x${(value >>> 0).toString(16).padStart(digits, '0')}`
  const line = ` ${side} address: LID ${hex(lid, 2)} QPN ${hex(number, 4)} PSN ${hex(sequence, 6)}`
  return oneSided ? `${line} RKey ${hex(key, 8)} VAddr ${hex(target, 16)}` : line
}

const LATENCY_COLUMNS =
  ' #bytes  #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    ' +
  't_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]'

function bandwidthColumns(gigabits) {
  const unit = gigabits ? 'Gb/sec' : 'MiB/sec'
  return ` #bytes     #iterations    BW peak[${unit}]    BW average[${unit}]   MsgRate[Mpps]`
}

/** A line of latencies, from the times of successive posts. */
export function latencyLine(name, bytes, times) {
  const share = TESTS[name].roundTrip ? 1 : 2
  const samples = Float64Array.from(
    { length: times.length - 1 },
    (_, at) => (times[at + 1] - times[at]) / share,
  ).sort()
  const kept = samples.subarray(0, samples.length - TAIL)
  const average = kept.reduce((sum, value) => sum + value, 0) / kept.length
  const variance = kept.reduce((sum, value) => sum + (value - average) ** 2, 0) / kept.length
  const percentile = (part) => kept[Math.min(kept.length - 1, Math.ceil(kept.length * part) - 1)]
  const cells = [
    ...[kept[0], samples.at(-1), samples[samples.length >> 1], average, Math.sqrt(variance)],
    ...[percentile(0.99), percentile(0.999)],
  ].map((value) => value.toFixed(2))
  const [least, most, typical, mean, deviation, p99, p999] = cells
  return (
    ` ${pad(bytes, 7)} ${pad(times.length - 1, 14)} ${pad(least, 14)} ${pad(most, 12)} ` +
    `${pad(typical, 18)} ${pad(mean, 14)} ${pad(deviation, 15)} ${pad(p99, 22)} ${p999}`
  )
}

/** A line of bandwidths, from the times of posts and completions. */
export function bandwidthLine(bytes, { posted, completed }, gigabits) {
  const count = posted.length
  const seconds = (completed[count - 1] - posted[0]) / 1e6
  const unit = gigabits ? 1e9 / 8 : 2 ** 20
  const average = (bytes * count) / seconds / unit
  const peak = Math.max(average, (bytes / quickest(posted, completed) / unit) * 1e6)
  const rate = count / seconds / 1e6
  return ` ${pad(bytes, 10)} ${pad(count, 14)} ${pad(peak.toFixed(2), 19)} ${pad(average.toFixed(2), 21)} ${rate.toFixed(6)}`
}

/** Microseconds a message in the best window from a post to a completion behind it. */
function quickest(posted, completed) {
  let least = Infinity
  const step = Math.max(1, Math.floor(posted.length / 2000))
  for (let from = 0; from < posted.length; from += step) {
    for (let to = from; to < posted.length; to += step) {
      const time = (completed[to] - posted[from]) / (to - from + 1)
      if (time > 0 && time < least) least = time
    }
  }
  return least
}

function pad(value, width) {
  return String(value).padEnd(width)
}
