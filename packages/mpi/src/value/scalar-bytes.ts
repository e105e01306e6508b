import { NUMBER } from '../p2p/message-kind.js'

/** Numbers and bigints of 64 bits are their eight bytes, in the order of the machine. */
const cell = new BigInt64Array(1)
const asNumber = new Float64Array(cell.buffer)
const asBytes = new Uint8Array(cell.buffer)

export function encodeScalar(value: number | bigint): Uint8Array {
  if (typeof value === 'number') asNumber[0] = value
  else cell[0] = value
  return asBytes.slice()
}

export function decodeScalar(kind: number, bytes: Uint8Array): number | bigint {
  asBytes.set(bytes)
  return kind === NUMBER ? asNumber[0]! : cell[0]!
}
