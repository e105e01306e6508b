/**
 * A management message: what connection managers tell each other, in place of MADs. Linked into the
 * mailbox of the HCA it goes to, under that HCA's event lock; freed by who takes it.
 *
 * | bytes | word                                                       |
 * | ----- | ---------------------------------------------------------- |
 * | 0     | next message, 0 at the end                                 |
 * | 4     | attribute: what kind of message                            |
 * | 8     | HCA index of the sender                                    |
 * | 12    | twelve words of fields (hca/mail.ts)                       |
 * | 60    | length of the private data                                 |
 * | 64..  | private data                                               |
 */

/** Length without private data. */
export const MESSAGE_BYTES = 64
/** Next message. */
export const MESSAGE_NEXT = 0
/** Kind of message, as the attribute id of communication management (IBA vol. 1, chapter 12). */
export const MESSAGE_ATTRIBUTE = 4
/** HCA index of the sender. */
export const MESSAGE_SOURCE = 8
/** First of the fields. */
export const MESSAGE_FIELDS = 12
/** Number of fields. */
export const MESSAGE_FIELD_COUNT = 12
/** Length of the private data. */
export const MESSAGE_PRIVATE_LENGTH = 60

/** Attribute ids. */
export const CONNECT_REQUEST = 0x10
export const CONNECT_REJECT = 0x12
export const CONNECT_REPLY = 0x13
export const READY_TO_USE = 0x14
export const DISCONNECT_REQUEST = 0x15
export const DISCONNECT_REPLY = 0x16
export const SERVICE_REQUEST = 0x17
export const SERVICE_REPLY = 0x18
