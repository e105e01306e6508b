import { roce100, tcp10, tcpCloud } from './ethernet.js'
import { ddr, edr, edrVerbs, fdr, hdr, ndr, qdr, sdr, xdr } from './infiniband.js'
import type { NetworkProfile, Sourced } from './profile.js'

export const networkProfiles: readonly NetworkProfile[] = [
  sdr,
  ddr,
  qdr,
  fdr,
  edr,
  edrVerbs,
  hdr,
  ndr,
  xdr,
  roce100,
  tcp10,
  tcpCloud,
]

export function profileNamed(name: string): NetworkProfile | undefined {
  return networkProfiles.find((profile) => profile.name === name)
}

/** Every number of a profile with where it is from, a line each. */
export function describeProfile(profile: NetworkProfile): string[] {
  const lines = [
    `${profile.title}`,
    `  half round trips: ${profile.knotsSource}${profile.knotsEstimate ? ' (estimate)' : ''}`,
  ]
  for (const [name, entry] of Object.entries(profile)) {
    if (typeof entry !== 'object' || !('value' in entry)) continue
    const { value, source, estimate } = entry as Sourced
    lines.push(`  ${name} ${value}: ${source}${estimate ? ' (estimate)' : ''}`)
  }
  return lines
}
