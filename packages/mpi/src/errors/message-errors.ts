import { quantity } from './describe.js'
import { MpiError, nameClass } from './mpi-error.js'

/** Where a message came from, as far as an error needs it. */
export interface MessageFacts {
  source: number
  tag: number
  communicator: string
}

export interface TruncateFacts extends MessageFacts {
  messageBytes: number
  bufferBytes: number
  /** Name and size of the elements on both sides (`float64`, 8), to say it in elements as well. */
  element?: { name: string; bytes: number }
}

/**
 * A message is longer than the memory it was to be received into. The memory keeps what it held.
 * A shorter message is no error: look at the status. MPI 4.1, 3.2.2.
 */
export class TruncateError extends MpiError {
  static {
    nameClass(this, 'TruncateError')
  }
  readonly code = 'MPI_ERR_TRUNCATE'
  readonly source: number
  readonly tag: number
  readonly communicator: string
  readonly messageBytes: number
  readonly bufferBytes: number

  constructor({ source, tag, communicator, messageBytes, bufferBytes, element }: TruncateFacts) {
    const size = (bytes: number): string =>
      element === undefined
        ? quantity(bytes, 'byte')
        : `${bytes / element.bytes} ${element.name} (${quantity(bytes, 'byte')})`
    super(
      `message of ${size(messageBytes)} from rank ${source} of \`${communicator}\` with tag ${tag} ` +
        `does not fit into the ${size(bufferBytes)} it was received into`,
    )
    this.source = source
    this.tag = tag
    this.communicator = communicator
    this.messageBytes = messageBytes
    this.bufferBytes = bufferBytes
  }
}

/** What was sent is not what the receive can take: a value, or elements of another type. MPI 4.1, 3.3.1. */
export class MismatchError extends MpiError {
  static {
    nameClass(this, 'MismatchError')
  }
  readonly code = 'MPI_ERR_TYPE'
  readonly source: number
  readonly tag: number
  readonly communicator: string
  /** What the message carries: `float64`, `value`, `number`, `bigint`. */
  readonly sent: string
  /** What the receive wanted: `int32`. */
  readonly received: string

  constructor(facts: MessageFacts & { sent: string; received: string }) {
    const { source, tag, communicator, sent, received } = facts
    const value = VALUE_KINDS.has(sent)
    super(
      `message from rank ${source} of \`${communicator}\` with tag ${tag} carries ` +
        `${value ? `a ${sent}` : `${sent} elements`}, but was received into memory of ${received}. ` +
        (value
          ? 'Receive values with `recv`'
          : `Receive into memory of ${sent}, or with \`recv\`, which makes an array of the kind that was sent`),
    )
    this.source = source
    this.tag = tag
    this.communicator = communicator
    this.sent = sent
    this.received = received
  }
}

const VALUE_KINDS: ReadonlySet<string> = new Set(['value', 'number', 'bigint'])

/**
 * A value holds something that cannot travel: a function, a symbol, a promise. Nothing of it was
 * sent. Values are what `structuredClone` can copy, and nothing of them is dropped on the way.
 */
export class ValueError extends MpiError {
  static {
    nameClass(this, 'ValueError')
  }
  readonly code = 'MPI_ERR_TYPE'
  /** Where it was found, as one would write it: `value.list[3].callback`. */
  readonly path: string
  /** What was found there: `a function`. */
  readonly found: string

  constructor({ path, found, advice }: { path: string; found: string; advice?: string }) {
    super(
      `\`${path}\` is ${found}, which cannot travel in a message` +
        (advice === undefined ? '' : `. ${advice}`),
    )
    this.path = path
    this.found = found
  }
}
