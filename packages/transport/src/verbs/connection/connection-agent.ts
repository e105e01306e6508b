import { summonOwner } from '../../hca/port/events.js'
import type { Hca } from '../../hca/hca.js'
import { sendMail, takeMail } from '../../hca/connection/mail.js'
import type { Mail } from '../../hca/connection/mail.js'
import { demand } from '../../hca/verbs-error.js'
import {
  CONNECT_REJECT,
  CONNECT_REQUEST,
  SERVICE_REPLY,
  SERVICE_REQUEST,
} from '../../wire/management-message.js'
import { DISCONNECT_REPLY, DISCONNECT_REQUEST } from '../../wire/management-message.js'
import { ConnectionEvent } from './connection-event.js'
import type { ConnectionEventFacts, ConnectionEventName } from './connection-event.js'
import { ConnectionIdentifier } from './connection-identifier.js'
import { REASON_INVALID_SERVICE, REASON_NO_RESOURCES } from './reject-reason.js'

/** The connection manager of one device: which identifiers there are, and whom mail is for. */
export class ConnectionAgent {
  readonly hca: Hca
  readonly #identifiers = new Map<number, ConnectionIdentifier>()
  readonly #listeners = new Map<number, ConnectionIdentifier>()
  readonly #local: (() => void)[] = []
  #nextId = 1

  constructor(hca: Hca) {
    this.hca = hca
  }

  /** Gives an identifier its number. */
  register(id: ConnectionIdentifier): number {
    this.#identifiers.set(this.#nextId, id)
    return this.#nextId++
  }

  unregister(id: ConnectionIdentifier): void {
    this.#identifiers.delete(id.number)
    if (this.#listeners.get(id.port) === id) this.#listeners.delete(id.port)
  }

  /** @throws {VerbsError} EINVAL: another identifier listens at the port */
  listen(id: ConnectionIdentifier): void {
    const other = this.#listeners.get(id.port)
    demand(other === undefined || other === id, `somebody listens at port ${id.port} already`)
    this.#listeners.set(id.port, id)
  }

  /** Raises an event, to be delivered with the next progress. */
  raise(
    id: ConnectionIdentifier,
    name: ConnectionEventName,
    facts: ConnectionEventFacts = {},
  ): void {
    const event = new ConnectionEvent(name, id, facts)
    this.#local.push(() => id.channel.deliver(event))
    summonOwner(this.hca, this.hca.block)
  }

  /** Called by the device when it has been summoned. */
  attend(): void {
    for (const mail of takeMail(this.hca)) this.#receive(mail)
    for (const deliver of this.#local.splice(0)) deliver()
  }

  #receive(mail: Mail): void {
    const { attribute, source, fields } = mail
    if (attribute === CONNECT_REQUEST || attribute === SERVICE_REQUEST)
      return this.#receiveRequest(mail)
    const id = this.#identifiers.get(fields.remoteId)
    if (id !== undefined) return id.receive(mail)
    // Of a connection that is gone by now: the other side need not wait.
    if (attribute === DISCONNECT_REQUEST) {
      sendMail(this.hca, source, DISCONNECT_REPLY, { remoteId: fields.localId })
    }
  }

  #receiveRequest(mail: Mail): void {
    const { attribute, source, fields, privateData } = mail
    const listener = this.#listeners.get(fields.port)
    const datagram = attribute === SERVICE_REQUEST
    const fits = listener !== undefined && listener.datagram === datagram
    if (!fits || !listener.hasRoom) {
      const reason = fits ? REASON_NO_RESOURCES : REASON_INVALID_SERVICE
      const refusal = datagram ? SERVICE_REPLY : CONNECT_REJECT
      sendMail(this.hca, source, refusal, { remoteId: fields.localId, reason })
      return
    }
    const id = ConnectionIdentifier.requested(this, listener, mail)
    const { responderReads, initiatorReads } = fields
    this.raise(id, 'connectRequest', {
      ...{ listener, privateData },
      ...{ responderResources: initiatorReads, initiatorDepth: responderReads },
    })
  }
}
