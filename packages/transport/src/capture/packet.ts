/** Where a packet goes: what its local route header and the transport header say of it. */
export interface Path {
  readonly sourceIdentifier: number
  readonly destinationIdentifier: number
  readonly serviceLevel: number
  readonly partitionKey: number
  readonly destinationNumber: number
  /** The sender is armed for another path: MigReq is not set. */
  readonly armed?: boolean | undefined
  /** The global route header, all but its length; none on most paths. */
  readonly globalRoute?: Uint8Array | undefined
}

/** A packet as the transport layer sees it: the headers it has are the fields that are there. */
export interface Packet {
  readonly opcode: number
  /** 24 bits. */
  readonly sequence: number
  readonly solicited?: boolean
  readonly acknowledgeRequest?: boolean
  /** DETH: of a datagram. */
  readonly datagram?: { readonly queueKey: number; readonly sourceNumber: number } | undefined
  /** FETH: what a FLUSH is for. */
  readonly flush?: number | undefined
  /** RETH: of a WRITE's first packet, of a READ, of a FLUSH. */
  readonly remote?:
    { readonly address: number; readonly key: number; readonly bytes: number } | undefined
  /** AtomicETH. */
  readonly atomic?:
    | {
        readonly address: number
        readonly key: number
        readonly operand: bigint
        readonly compare: bigint
      }
    | undefined
  /** AETH: of acknowledgements and of the first and last packets that answer a READ. */
  readonly acknowledgement?: { readonly syndrome: number; readonly messages: number } | undefined
  /** AtomicAckETH: what the atomic found. */
  readonly original?: bigint | undefined
  /** ImmDt. */
  readonly immediate?: number | undefined
  /** IETH: the key to invalidate. */
  readonly invalidateKey?: number | undefined
  readonly payload?: Uint8Array | undefined
  /** Its invariant CRC is wrong. */
  readonly corrupted?: boolean
}

/** AETH: an acknowledgement without a bound on what may follow (IBA vol. 1, 9.7.5.2.3). */
export const ACKNOWLEDGED = 0x1f
/** AETH: not ready to receive; the low bits are the timer's code. */
export const NOT_READY = 0x20
/** AETH: refused; the low bits say why. */
export const REFUSED = 0x60
export const REFUSED_INVALID_REQUEST = REFUSED | 1
export const REFUSED_ACCESS = REFUSED | 2
export const REFUSED_OPERATION = REFUSED | 3

/** Packet sequence numbers and message counts wrap around. */
export const SEQUENCE_MASK = 0xffffff
