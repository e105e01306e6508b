import { demand } from '../hca/verbs-error.js'

/** Capacities of a queue pair's send queue. */
export interface SendCapacities {
  /** Requests the send queue holds; rounded up to a power of two. Default 64. */
  sendEntries?: number
  /** Segments a request may have, 1 to 16. Default 2. */
  segmentsMax?: number
  /** Bytes a request may carry inline, up to 480. Default 96. */
  inlineBytesMax?: number
  /** Every request gets a completion. Default false. */
  signalAll?: boolean
}

const SEND_ENTRIES_MAX = 16_384
const SEGMENTS_LIMIT = 16
const INLINE_BYTES_LIMIT = 480

/** Capacities with their defaults filled in. @throws {VerbsError} EINVAL: beyond the HCA's limits */
export function checkSendCapacities(capacities: SendCapacities): Required<SendCapacities> {
  const { sendEntries = 64, segmentsMax = 2, inlineBytesMax = 96, signalAll = false } = capacities
  demandWithin('sendEntries', sendEntries, 1, SEND_ENTRIES_MAX)
  demandWithin('segmentsMax', segmentsMax, 1, SEGMENTS_LIMIT)
  demandWithin('inlineBytesMax', inlineBytesMax, 0, INLINE_BYTES_LIMIT)
  return { sendEntries, segmentsMax, inlineBytesMax, signalAll }
}

function demandWithin(name: string, value: number, least: number, most: number): void {
  const fits = Number.isInteger(value) && value >= least && value <= most
  demand(fits, `${name} cannot be ${value}; ${least} to ${most}`)
}
