import { GID_BYTES } from '../../wire/address-handle.js'

/** First half of a GUID: a locally administered identifier of this project, "CMW". */
const GUID_HIGH = 0x02434d57

/** Node GUID, and port GUID, of the HCA in this place. */
export function globallyUniqueIdentifier(index: number): bigint {
  return (BigInt(GUID_HIGH) << 32n) | BigInt(index + 1)
}

/** Writes the GID of an HCA's port: the default subnet prefix fe80::/64, then its GUID. */
export function writeGlobalIdentifier(into: Uint8Array, index: number): void {
  into.fill(0)
  into[0] = 0xfe
  into[1] = 0x80
  const guid = globallyUniqueIdentifier(index)
  for (let byte = 0; byte < 8; byte++)
    into[8 + byte] = Number((guid >> BigInt(56 - 8 * byte)) & 0xffn)
}

/** A GID as `fe80:0000:0000:0000:0243:4d57:0000:0001`. */
export function formatGlobalIdentifier(gid: Uint8Array): string {
  const groups = Array.from({ length: GID_BYTES / 2 }, (_, group) =>
    ((gid[2 * group]! << 8) | gid[2 * group + 1]!).toString(16).padStart(4, '0'),
  )
  return groups.join(':')
}

/** HCA index of a port's GID; -1 for any other GID. */
export function indexOfGlobalIdentifier(gid: Uint8Array): number {
  const own = new Uint8Array(GID_BYTES)
  const index = ((gid[14]! << 8) | gid[15]!) - 1
  if (index < 0) return -1
  writeGlobalIdentifier(own, index)
  return own.every((byte, place) => byte === gid[place]) ? index : -1
}

/** Reads a GID as it is written: eight groups of hexadecimal digits, `::` for zeros. */
export function parseGlobalIdentifier(text: string): Uint8Array | undefined {
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  if (groups.length !== 8 || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group)))
    return undefined
  return Uint8Array.from(
    groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]),
  )
}
