/**
 * The two checks at the end of each packet (IBA vol. 1, 7.8): the invariant CRC over what no switch
 * changes, and the variant CRC over all of it. Both go through a byte from its lowest bit, start from
 * ones, are complemented, and stand in the packet with their lowest byte first.
 */

/** x^32 + ... + 1 as in Ethernet (0x04c11db7), its bits reversed. */
const INVARIANT_POLYNOMIAL = 0xedb88320
/** x^16 + x^12 + x^3 + x + 1 (0x100b), its bits reversed. */
const VARIANT_POLYNOMIAL = 0xd008

function tableOf(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte
    for (let bit = 0; bit < 8; bit++) {
      remainder = (remainder >>> 1) ^ ((remainder & 1) === 0 ? 0 : polynomial)
    }
    return remainder
  })
}

const invariantTable = tableOf(INVARIANT_POLYNOMIAL)
const variantTable = tableOf(VARIANT_POLYNOMIAL)

function remainderOf(table: Uint32Array, bytes: Uint8Array, remainder: number): number {
  for (let at = 0; at < bytes.length; at++) {
    remainder = (remainder >>> 8) ^ table[(remainder ^ bytes[at]!) & 0xff]!
  }
  return remainder
}

type Crc32 = (bytes: Uint8Array, before: number) => number

/** The runtime's own is ten times as fast, where there is one. */
const native: Crc32 | undefined = (
  globalThis.process?.getBuiltinModule?.('node:zlib') as unknown as { crc32?: Crc32 } | undefined
)?.crc32

/** CRC-32 of bytes that follow others, whose CRC-32 is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  if (native !== undefined) return native(bytes, before)
  return crc32ByTable(bytes, before)
}

/** The same without the runtime's help. */
export function crc32ByTable(bytes: Uint8Array, before = 0): number {
  return ~remainderOf(invariantTable, bytes, ~before >>> 0) >>> 0
}

/** The variant CRC of a packet, without its own two bytes. */
export function variantCrc(packet: Uint8Array): number {
  return ~remainderOf(variantTable, packet, 0xffff) & 0xffff
}

const LRH_BYTES = 8
const BTH_BYTES = 12

/**
 * The invariant CRC of a packet that ends before it. What switches and routers may change counts as
 * ones: the virtual lane, or with a global route header the whole local one, that header's traffic
 * class, flow label and hop limit, and the byte beside the destination's number.
 */
export function invariantCrc(packet: Uint8Array, global: boolean): number {
  const bth = LRH_BYTES + (global ? 40 : 0)
  const head = Uint8Array.from(packet.subarray(0, bth + BTH_BYTES))
  if (global) {
    head.fill(0xff, 0, LRH_BYTES)
    head[LRH_BYTES]! |= 0x0f
    head.fill(0xff, LRH_BYTES + 1, LRH_BYTES + 4)
    head[LRH_BYTES + 7] = 0xff
  } else {
    head[0]! |= 0xf0
  }
  head[bth + 4] = 0xff
  return crc32(packet.subarray(head.length), crc32(head))
}
