import type { ManagementMessage } from '../fabric/fabric.js'
import { managementDatagram } from './management-datagram.js'
import { SEQUENCE_MASK } from './packet.js'
import type { RecordBuffer } from './pcap.js'

/** The queue pair of management, and the key of its datagrams (IBA vol. 1, 3.9.8 and 10.2.4). */
const GENERAL_SERVICES = 1
const GENERAL_SERVICES_KEY = 0x8001_0000
/** Opcode of a datagram: UD SEND Only. */
const DATAGRAM = 0x64

/** Records what connection managers tell each other, as datagrams between the queue pairs 1 of their HCAs. */
export class ManagementRecorder {
  readonly #records: RecordBuffer
  /** Packet sequence numbers of the queue pair 1 of each HCA. */
  readonly #sequences = new Map<number, number>()

  constructor(records: RecordBuffer) {
    this.#records = records
  }

  record(time: bigint, source: number, destination: number, message: ManagementMessage): void {
    const path = {
      sourceIdentifier: source + 1,
      destinationIdentifier: destination + 1,
      serviceLevel: 0,
      partitionKey: 0xffff,
      destinationNumber: GENERAL_SERVICES,
    }
    const sequence = this.#sequences.get(source) ?? 0
    this.#sequences.set(source, (sequence + 1) & SEQUENCE_MASK)
    this.#records.add(time, path, {
      opcode: DATAGRAM,
      sequence,
      datagram: { queueKey: GENERAL_SERVICES_KEY, sourceNumber: GENERAL_SERVICES },
      payload: managementDatagram(message, source, destination),
    })
  }
}
