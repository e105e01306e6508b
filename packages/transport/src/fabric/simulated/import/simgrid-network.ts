import { logGopsProfile, type NetworkProfile } from '../profile/profile.js'

/**
 * One link as SimGrid's flow models see it (src/kernel/resource/models): latency and bandwidth times
 * a factor, and no more than the TCP window allows in a round trip, gamma / (2 latency).
 *
 * CM02 has no factors. LV08 (Velho, Legrand 2009) has 13.01 and 0.97; traffic of acknowledgements takes
 * 5 % of what is left.
 */
export function simGridLink(link: {
  readonly model: 'CM02' | 'LV08'
  readonly latencySeconds: number
  readonly bytesPerSecond: number
  readonly tcpGammaBytes?: number
}): NetworkProfile {
  const { model, latencySeconds, bytesPerSecond, tcpGammaBytes = 4_194_304 } = link
  const latency = latencySeconds * (model === 'LV08' ? 13.01 : 1)
  const shared = bytesPerSecond * (model === 'LV08' ? 0.97 / 1.05 : 1)
  const window = latency > 0 ? tcpGammaBytes / (2 * latency) : Infinity
  const nsPerByte = 1e9 / Math.min(shared, window)
  const profile = logGopsProfile({ latencyNs: latency * 1e9, overheadNs: 0, gapNs: 0, nsPerByte })
  return {
    ...profile,
    name: model.toLowerCase(),
    title: `SimGrid ${model}`,
    // A flow has n bytes, where LogGP counts n - 1 intervals between them.
    knots: [
      { bytes: 0, ns: latency * 1e9 },
      { bytes: 1e9, ns: latency * 1e9 + 1e9 * nsPerByte },
    ],
  }
}
