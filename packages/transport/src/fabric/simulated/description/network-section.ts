import { profileFromNetgauge, profileFromOsu } from '../import/measured-profile.js'
import { fromGpuMemory } from '../profile/gpu-memory.js'
import type { NetworkProfile, Sourced } from '../profile/profile.js'
import { networkProfiles, profileNamed } from '../profile/profile-names.js'
import type { FileReader } from './fabric-file.js'
import type { FoundTopology } from './topology-section.js'
import type { YamlReader } from './yaml-reader.js'

const PLATFORM = 'platform'
const NUMBERS = [
  'sendOverheadNs',
  'receiveOverheadNs',
  'gapNs',
  'nsPerByte',
  'eagerLimitBytes',
  'gigabits',
  'hopNs',
  'hopsMeasured',
] as const

/**
 * The key `network` of a fabric file: the name of a profile; or a mapping with `base`, and what is
 * different, measured with `osu` or `netgauge` or said in numbers.
 */
export function readNetwork(
  fabric: YamlReader,
  files: FileReader,
  { platform }: FoundTopology,
): NetworkProfile {
  const names = [
    ...networkProfiles.map(({ name }) => name),
    ...(platform === undefined ? [] : [PLATFORM]),
  ]
  const named = (section: YamlReader, key: string): NetworkProfile => {
    const name = section.choice(key, names)
    return name === PLATFORM ? platform!.network : profileNamed(name)!
  }
  if (!fabric.isMapping('network')) {
    if (!fabric.has('network') && platform !== undefined) return platform.network
    return named(fabric, 'network')
  }
  const section = fabric.mapping('network')
  let profile = named(section, 'base')
  for (const [key, parse] of [
    ['osu', profileFromOsu],
    ['netgauge', profileFromNetgauge],
  ] as const) {
    if (!section.has(key)) continue
    const { text, name } = files.read(section, key)
    profile = parse(text, profile, name)
  }
  const changes: Record<string, Sourced> = {}
  for (const key of NUMBERS) {
    if (section.has(key)) changes[key] = { value: section.number(key), source: 'fabric file' }
  }
  section.end()
  return { ...profile, ...changes }
}

/** The key `gpu`: messages lie in the memory of GPUs. */
export function readGpu(fabric: YamlReader, network: NetworkProfile): NetworkProfile {
  if (!fabric.has('gpu')) return network
  const section = fabric.mapping('gpu')
  const path = { direct: section.flag('direct'), fastCopy: section.flag('fastCopy') }
  section.end()
  return fromGpuMemory(network, path)
}
