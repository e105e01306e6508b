import { writeGlobalIdentifier } from '../hca/datagram/global-identifier.js'
import { AH_FLOW_LABEL, AH_GID, AH_HOPS, GID_BYTES, GRH_BYTES } from '../wire/address-handle.js'

const IP_VERSION = 6
/** What follows the header: the base transport header. */
const TRANSPORT = 0x1b

/**
 * The global route header of datagrams that the HCA in place `index` sends by an address handle, all
 * but its length (IBA vol. 1, 8.3).
 *
 * @param handle the bytes of wire/address-handle.ts
 */
export function globalRoute(handle: Uint8Array, index: number): Uint8Array {
  const words = new DataView(handle.buffer, handle.byteOffset)
  const hops = words.getUint32(AH_HOPS, true)
  const route = new Uint8Array(GRH_BYTES)
  const first = (IP_VERSION << 28) | (((hops >>> 8) & 0xff) << 20)
  new DataView(route.buffer).setUint32(0, (first | words.getUint32(AH_FLOW_LABEL, true)) >>> 0)
  route[6] = TRANSPORT
  route[7] = hops & 0xff
  writeGlobalIdentifier(route.subarray(8, 24), index)
  route.set(handle.subarray(AH_GID, AH_GID + GID_BYTES), 24)
  return route
}
