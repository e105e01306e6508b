// The two clocks of a reliable queue pair (IBA vol. 1, 9.7.6.1.3 and table 45).

const TIMEOUT_UNIT_NS = 4096
const RNR_TIMERS_MS = [
  ...[655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28],
  ...[1.92, 2.56, 3.84, 5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88],
  ...[163.84, 245.76, 327.68, 491.52],
]

/** How long an acknowledgement is waited for: 4.096 us times 2 to the code; for ever with code 0. */
export function acknowledgeTimeoutNs(code: number): number {
  return code === 0 ? Infinity : TIMEOUT_UNIT_NS * 2 ** code
}

/** How long a sender waits that found no receive, by the responder's code. */
export function receiverNotReadyDelayNs(code: number): number {
  return RNR_TIMERS_MS[code]! * 1e6
}
