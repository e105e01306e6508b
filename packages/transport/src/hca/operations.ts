import { opcodeNumbers } from '../wire/opcode.js'
import type { Opcode } from '../wire/opcode.js'
import { RELIABLE_CONNECTED } from '../wire/service-type.js'
import type { ServiceType } from '../wire/service-type.js'

/** Which operations each service has (ibv_post_send.3). */
export const operationsOf: Readonly<Record<ServiceType, readonly Opcode[]>> = {
  reliableConnected: [
    ...(['rdmaWrite', 'rdmaWriteWithImmediate', 'send', 'sendWithImmediate', 'rdmaRead'] as const),
    ...(['compareAndSwap', 'fetchAndAdd'] as const),
    ...(['localInvalidate', 'bindWindow', 'sendWithInvalidate', 'flush', 'atomicWrite'] as const),
  ],
  unreliableConnected: [
    ...(['rdmaWrite', 'rdmaWriteWithImmediate', 'send', 'sendWithImmediate'] as const),
    ...(['localInvalidate', 'bindWindow', 'sendWithInvalidate'] as const),
  ],
  unreliableDatagram: ['send', 'sendWithImmediate'],
}

/** Bit n is set for opcode n; by service number. */
const masks: readonly number[] = Object.values(operationsOf).map((names) =>
  names.reduce((mask, name) => mask | (1 << opcodeNumbers[name]), 0),
)

/** Whether a service has an operation; both as numbers. */
export function hasOperation(service: number, opcode: number): boolean {
  return ((masks[service - RELIABLE_CONNECTED]! >>> opcode) & 1) === 1
}
