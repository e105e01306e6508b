import type { NetworkProfile } from './profile.js'
import type { Knot } from './size-table.js'

/** How a message gets from the memory of a GPU to the network. */
export interface GpuPath {
  /** The interface reads and writes GPU memory itself (GPUDirect RDMA); else bytes go by host memory. */
  readonly direct: boolean
  /** Processors write GPU memory through a mapping (gdrcopy); else each small copy is a device copy. */
  readonly fastCopy: boolean
}

const SOURCE = 'E4 "juliet" documentation, A100, OSU 7.2 between devices: 1 B, 4 KiB and 1 MiB'

// Published: 1 B, 4 KiB (where given) and 1 MiB. Between them what the mechanism must do: without a fast
// copy all that goes eagerly waits for a device copy; what goes directly has no such floor.
const KNOTS: Readonly<Record<'both' | 'direct' | 'fastCopy' | 'neither', readonly Knot[]>> = {
  both: knots([1, 4.06], [4096, 5.57], [1_048_576, 74.1]),
  direct: knots([1, 95], [8192, 95], [8193, 6.5], [1_048_576, 70]),
  fastCopy: knots([1, 4.3], [4096, 25], [1_048_576, 167]),
  neither: knots([1, 25], [4096, 25.5], [1_048_576, 161]),
}

function knots(...pairs: [bytes: number, us: number][]): Knot[] {
  return pairs.map(([bytes, us]) => ({ bytes, ns: us * 1000 }))
}

/**
 * A network whose messages lie in the memory of GPUs: the measured curve of the path instead of the
 * network's own, unless the network is slower anyway.
 */
export function fromGpuMemory(network: NetworkProfile, path: GpuPath): NetworkProfile {
  const { direct, fastCopy } = path
  const which = direct ? (fastCopy ? 'both' : 'direct') : fastCopy ? 'fastCopy' : 'neither'
  const curve = KNOTS[which]
  const last = curve.at(-1)!
  const before = curve.at(-2)!
  const slope = (last.ns - before.ns) / (last.bytes - before.bytes)
  const nsPerByte = direct ? Math.max(network.nsPerByte.value, 0.0625) : slope
  return {
    ...network,
    name: `${network.name}-gpu`,
    title: `${network.title}, GPU memory ${direct ? 'by GPUDirect' : 'by way of the host'}${
      fastCopy ? ', fast copies' : ''
    }`,
    knots: [...curve, { bytes: 4_194_304, ns: last.ns + (4_194_304 - last.bytes) * slope }],
    knotsSource: SOURCE,
    knotsEstimate: true,
    nsPerByte: { value: nsPerByte, source: SOURCE, estimate: true },
    // The curve has its protocols in it.
    eagerLimitBytes: { value: Infinity, source: SOURCE, estimate: true },
  }
}
