/** What may happen to one packet, or, where requests are carried whole, to one attempt of one. */
export type TransmissionFault =
  /** It is lost. */
  | 'loss'
  /** It arrives twice. */
  | 'duplicate'
  /** It arrives later, behind others. */
  | 'delay'
  /** It arrives later, and so do all behind it between the same two queue pairs. */
  | 'hold'
  /** It arrives with a wrong checksum, and is dropped. */
  | 'corruption'
  /** It arrives with a right checksum and makes no sense: a reserved operation, or answer. */
  | 'malformed'
  /** The peer says that it has no receive. */
  | 'receiverNotReady'

/** What may happen to an HCA or its objects. */
export type StateFault =
  | 'portDown'
  | 'portUp'
  /** The port goes down and, `forNs` later, up again. */
  | 'linkFlap'
  /** The HCA fails as a whole, as when its process is killed. */
  | 'killed'
  /** Every completion queue it has fills up. */
  | 'completionQueueFull'
  /** A key of it becomes invalid. */
  | 'keyRevoked'

/** One request, or one packet, that the plan looks at. */
export interface Transmission {
  /** HCA indices. */
  readonly source: number
  readonly destination: number
  /** LID it goes to: that of its path, in one plane of the subnet or the other. */
  readonly destinationLocalIdentifier?: number
  /** Of a request its opcode (wire/opcode.ts), of a packet that of the base transport header. */
  readonly opcode: number
  /** Number of the queue pair it comes from, for requests, or goes to, for packets. */
  readonly queuePairNumber: number
  readonly psn?: number
}

/** When a rule strikes: all that is given must hold. */
export interface FaultMatch {
  source?: number
  destination?: number
  /** LID of the path: with it a path fails, and the alternate one does not. */
  destinationLocalIdentifier?: number
  opcode?: number
  queuePairNumber?: number
  /** Packet sequence numbers from the first to the last of these. */
  psn?: readonly [number, number]
}

interface Occasion {
  match?: FaultMatch
  /** The matching transmission at which it strikes first, counted from 1. Default 1. */
  at?: number
  /** How many matching transmissions it strikes from there on. Default 1. */
  times?: number
  /** In place of `at`: strikes so many percent of them, drawn from the choice stream. */
  percent?: number
}

export type FaultRule = Occasion &
  (
    | { fault: TransmissionFault; delayNs?: number }
    | { fault: StateFault; hca: number; key?: number; forNs?: number }
  )

/** Says what happens to transmissions. */
export interface FaultJudge {
  /** The rules that strike this one, in their order. Asked once for each. */
  judge(transmission: Transmission): readonly FaultRule[]
}
