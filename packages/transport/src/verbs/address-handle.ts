import { indexOfGlobalIdentifier } from '../hca/datagram/global-identifier.js'
import type { Hca } from '../hca/hca.js'
import { countObject } from '../hca/memory/region-table.js'
import { demand, VerbsError } from '../hca/verbs-error.js'
import {
  AH_BYTES,
  AH_DOMAIN,
  AH_FLOW_LABEL,
  AH_GID,
  AH_GLOBAL,
  AH_HOPS,
} from '../wire/address-handle.js'
import { AH_LID, AH_PATH, GID_BYTES, GRH_BYTES } from '../wire/address-handle.js'
import { COMPLETION_GRH } from '../wire/completion-queue.js'
import { HCA_ADDRESS_HANDLE_COUNT } from '../wire/hca-block.js'
import { DEVICE_LIMITS } from './device-limits.js'
import type { WorkCompletion } from './work-completion.js'

/** The global route header of an address. */
export interface GlobalRoute {
  /** 16 bytes in network order. */
  destinationGlobalIdentifier: Uint8Array
  /** 20 bits. Default 0. */
  flowLabel?: number
  /** Index into the port's table of GIDs. Default 0. */
  sourceGlobalIdentifierIndex?: number
  /** Default 64. */
  hopLimit?: number
  trafficClass?: number
}

/** Where datagrams go (ibv_create_ah.3). */
export interface AddressAttributes {
  /** LID of the destination's port; 0 to take it from the GID. */
  destinationLocalIdentifier?: number
  serviceLevel?: number
  sourcePathBits?: number
  port?: number
  /** A global route header; needed for multicast. */
  global?: GlobalRoute
}

const FLOW_LABEL_MAX = 0xfffff
const LID_MAX = 0xffff

/**
 * Where datagrams go. It does not change, and must live as long as a request that names it.
 */
export class AddressHandle {
  readonly #hca: Hca
  readonly #domain: number
  #address: number

  /** Made by `ProtectionDomain.createAddressHandle`. */
  constructor(hca: Hca, domain: number, attributes: AddressAttributes) {
    const localIdentifier = checkAttributes(attributes)
    const { maxAddressHandles } = DEVICE_LIMITS
    const count = (hca.block + HCA_ADDRESS_HANDLE_COUNT) >>> 2
    if (hca.i32[count]! >= maxAddressHandles) {
      throw new VerbsError('ENOMEM', `there are ${maxAddressHandles} address handles already`)
    }
    hca.i32[count]! += 1
    this.#hca = hca
    this.#domain = domain
    this.#address = hca.heap.allocate(AH_BYTES)
    this.#write(domain, localIdentifier, attributes)
    countObject(hca, domain, 1)
  }

  /** Address in world memory, 0 once it is destroyed. */
  get address(): number {
    return this.#address
  }

  /** Doing it twice is harmless. */
  destroy(): void {
    if (this.#address === 0) return
    this.#hca.i32[(this.#hca.block + HCA_ADDRESS_HANDLE_COUNT) >>> 2]! -= 1
    countObject(this.#hca, this.#domain, -1)
    this.#hca.heap.free(this.#address)
    this.#address = 0
  }

  #write(domain: number, localIdentifier: number, attributes: AddressAttributes): void {
    const { i32 } = this.#hca
    const handle = this.#address
    const { serviceLevel = 0, sourcePathBits = 0, port = 1, global } = attributes
    i32[(handle + AH_DOMAIN) >>> 2] = domain
    i32[(handle + AH_LID) >>> 2] = localIdentifier
    i32[(handle + AH_PATH) >>> 2] = serviceLevel | (sourcePathBits << 8) | (port << 16)
    if (global === undefined) return
    const {
      flowLabel = 0,
      hopLimit = 64,
      trafficClass = 0,
      sourceGlobalIdentifierIndex = 0,
    } = global
    i32[(handle + AH_GLOBAL) >>> 2] = 1
    i32[(handle + AH_FLOW_LABEL) >>> 2] = flowLabel
    i32[(handle + AH_HOPS) >>> 2] =
      hopLimit | (trafficClass << 8) | (sourceGlobalIdentifierIndex << 16)
    new Uint8Array(i32.buffer, handle + AH_GID, GID_BYTES).set(global.destinationGlobalIdentifier)
  }
}

/** LID of the destination. @throws {VerbsError} EINVAL */
function checkAttributes({
  destinationLocalIdentifier = 0,
  port = 1,
  ...rest
}: AddressAttributes): number {
  demand(port === 1, `the device has port 1 only, not ${port}`)
  const { serviceLevel = 0, global } = rest
  demand(serviceLevel >= 0 && serviceLevel <= 15, `a service level is 0 to 15, not ${serviceLevel}`)
  const gid = global?.destinationGlobalIdentifier
  if (gid !== undefined) {
    demand(gid.length === GID_BYTES, `a GID has ${GID_BYTES} bytes, not ${gid.length}`)
    const { flowLabel = 0, sourceGlobalIdentifierIndex = 0 } = global!
    demand(
      flowLabel >= 0 && flowLabel <= FLOW_LABEL_MAX,
      `a flow label has 20 bits, not ${flowLabel}`,
    )
    demand(sourceGlobalIdentifierIndex === 0, `there is no GID ${sourceGlobalIdentifierIndex}`)
  }
  let lid = destinationLocalIdentifier
  if (lid === 0 && gid !== undefined)
    lid = isMulticast(gid) ? 0xc000 : indexOfGlobalIdentifier(gid) + 1
  const fits = Number.isInteger(lid) && lid > 0 && lid < LID_MAX
  demand(fits, `${lid} is no LID of a destination`)
  return lid
}

/** Whether a GID names a multicast group. */
export function isMulticast(gid: Uint8Array): boolean {
  return gid[0] === 0xff
}

/**
 * Attributes of the way back to who sent a datagram (ibv_init_ah_from_wc.3): from its completion, and
 * the receive's first 40 bytes.
 */
export function replyAddress(
  completion: WorkCompletion,
  routeHeader: Uint8Array,
): AddressAttributes {
  const { sourceLocalIdentifier: destinationLocalIdentifier, serviceLevel } = completion
  const local = { destinationLocalIdentifier, serviceLevel }
  if ((completion.flags & COMPLETION_GRH) === 0) return local
  demand(routeHeader.length >= GRH_BYTES, `a route header has ${GRH_BYTES} bytes`)
  const destinationGlobalIdentifier = routeHeader.slice(8, 24)
  const view = new DataView(routeHeader.buffer, routeHeader.byteOffset, GRH_BYTES)
  const flowLabel = view.getUint32(0) & FLOW_LABEL_MAX
  const trafficClass = (view.getUint32(0) >>> 20) & 0xff
  const hopLimit = 255 // as libibverbs does: how far it has come is not known
  return { ...local, global: { destinationGlobalIdentifier, flowLabel, trafficClass, hopLimit } }
}
