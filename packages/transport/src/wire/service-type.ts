/** Transport service of a queue pair: names of the numbers of `ibv_qp_type`. */
export type ServiceType = 'reliableConnected' | 'unreliableConnected' | 'unreliableDatagram'

/** Services of other HCAs that none here offers: the two ends of XRC, and raw packets. */
export type ServiceNotOffered =
  'extendedReliableConnectedSend' | 'extendedReliableConnectedReceive' | 'rawPacket'
export const servicesNotOffered: readonly string[] = [
  'extendedReliableConnectedSend',
  'extendedReliableConnectedReceive',
  'rawPacket',
] satisfies ServiceNotOffered[]

export const RELIABLE_CONNECTED = 2
export const UNRELIABLE_CONNECTED = 3
export const UNRELIABLE_DATAGRAM = 4

/** Number of each service. */
export const serviceNumbers: Readonly<Record<ServiceType, number>> = {
  reliableConnected: RELIABLE_CONNECTED,
  unreliableConnected: UNRELIABLE_CONNECTED,
  unreliableDatagram: UNRELIABLE_DATAGRAM,
}

const names = ['reliableConnected', 'unreliableConnected', 'unreliableDatagram'] as const

/** Name of a service number. */
export function serviceName(service: number): ServiceType {
  return names[service - RELIABLE_CONNECTED] as ServiceType
}
