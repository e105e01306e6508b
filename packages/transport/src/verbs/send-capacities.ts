import { demand } from '../hca/verbs-error.js'
import { DEVICE_LIMITS } from './device-limits.js'

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

const { maxWorkRequests, maxSegments, maxInlineBytes } = DEVICE_LIMITS

/** Capacities with their defaults filled in. @throws {VerbsError} EINVAL: beyond the HCA's limits */
export function checkSendCapacities(capacities: SendCapacities): Required<SendCapacities> {
  const { sendEntries = 64, segmentsMax = 2, inlineBytesMax = 96, signalAll = false } = capacities
  demandWithin('sendEntries', sendEntries, 1, maxWorkRequests)
  demandWithin('segmentsMax', segmentsMax, 1, maxSegments)
  demandWithin('inlineBytesMax', inlineBytesMax, 0, maxInlineBytes)
  return { sendEntries, segmentsMax, inlineBytesMax, signalAll }
}

function demandWithin(name: string, value: number, least: number, most: number): void {
  const fits = Number.isInteger(value) && value >= least && value <= most
  demand(fits, `${name} cannot be ${value}; ${least} to ${most}`)
}
