import type { OperationRecord } from '../record/operation.js'
import {
  describePayload,
  isReceive,
  isSend,
  ranksOf,
  sameCommunicator,
  worldPeerOf,
} from './describe.js'
import { hasEnded } from './wait-graph.js'
import type { Scene } from './scene.js'

/** Messages and receives that would match if one thing were different. */

export type Difference = 'tag' | 'communicator' | 'source' | 'destination'

export interface NearMiss {
  differs: Difference
  /** The rank that receives, and what it asks for. */
  receiver: number
  receive: OperationRecord
  /** The rank that sent, the rank it sent to, and the send or the message that arrived. */
  sender: number
  addressee: number
  message: OperationRecord
}

/** Likeliest first: a wrong tag is the commonest mistake. */
const ORDER: readonly Difference[] = ['tag', 'communicator', 'destination', 'source']

/**
 * Pairs of a receive that a stuck rank waits for and a message nobody takes, that differ in exactly
 * one of tag, communicator, source and destination. Where both say a kind of element, it agrees.
 *
 * @param stuck ranks that can never continue
 */
export function nearMisses(scene: Scene, stuck: readonly number[]): NearMiss[] {
  const still = new Set(stuck)
  const lost = lostMessages(scene).filter(
    ({ addressee }) => still.has(addressee) || hasEnded(scene.state(addressee)),
  )
  const found = stuck.flatMap((receiver) =>
    pendingReceives(scene, receiver).flatMap((receive) =>
      lost.flatMap((message) => compare(receiver, receive, message) ?? []),
    ),
  )
  found.sort((a, b) => ORDER.indexOf(a.differs) - ORDER.indexOf(b.differs))
  return withoutRepetition(found)
}

type Lost = Pick<NearMiss, 'sender' | 'addressee' | 'message'>

function pendingReceives(scene: Scene, rank: number): readonly OperationRecord[] {
  const posted = scene.snapshot(rank)?.posted ?? []
  const asked = scene.communications(rank).flatMap((one) => one.receiving ?? one)
  const waiting = asked.filter((one) => isReceive(one) || posted.length === 0)
  const blocked = waiting.filter(
    (one) => isReceive(one) && !posted.some((other) => sameEnvelope(one, other)),
  )
  return [...posted.map((one) => one.receiving ?? one), ...blocked]
}

/** Messages that matched nothing, and sends that did not complete; what is both is told once. */
function lostMessages(scene: Scene): Lost[] {
  const pending = scene.ranks.flatMap((sender) => sendsOf(scene, sender))
  const arrived = scene.ranks.flatMap((addressee) =>
    (scene.snapshot(addressee)?.unexpected ?? []).flatMap((message): Lost[] => {
      const sender = worldPeerOf(message)
      return sender === undefined ? [] : [{ sender, addressee, message }]
    }),
  )
  const unsent = [...pending]
  for (const one of arrived) {
    const at = unsent.findIndex((other) => sameMessage(one, other))
    if (at >= 0) unsent.splice(at, 1)
  }
  return [...arrived.map((one) => withSender(scene, one, pending)), ...unsent]
}

function sendsOf(scene: Scene, sender: number): Lost[] {
  const sends = scene.snapshot(sender)?.pendingSends ?? []
  return sends.flatMap((message): Lost[] => {
    const addressee = worldPeerOf(message)
    return addressee === undefined ? [] : [{ sender, addressee, message }]
  })
}

/** An arrived message told by the call that sent it, where that is still known. */
function withSender(scene: Scene, arrived: Lost, pending: readonly Lost[]): Lost {
  const open = pending.find((other) => sameMessage(arrived, other))
  const past = (scene.snapshot(arrived.sender)?.recent ?? []).findLast(
    (message) =>
      (isSend(message) || message.name.includes('send')) &&
      sameMessage(arrived, {
        sender: arrived.sender,
        addressee: worldPeerOf(message) ?? -1,
        message,
      }),
  )
  const site = open?.message.site ?? past?.site
  return site === undefined ? arrived : { ...arrived, message: { ...arrived.message, site } }
}

function sameMessage(a: Lost, b: Lost): boolean {
  return (
    a.sender === b.sender &&
    a.addressee === b.addressee &&
    a.message.tag === b.message.tag &&
    sameCommunicator(a.message, b.message)
  )
}

function sameEnvelope(a: OperationRecord, b: OperationRecord): boolean {
  return worldPeerOf(a) === worldPeerOf(b) && a.tag === b.tag && sameCommunicator(a, b)
}

function compare(receiver: number, receive: OperationRecord, lost: Lost): NearMiss | undefined {
  const { sender, addressee, message } = lost
  const anyTag = receive.tag === undefined || receive.tag === 'any'
  const source = worldPeerOf(receive)
  const differences: Difference[] = []
  if (!anyTag && receive.tag !== message.tag) differences.push('tag')
  if (!sameCommunicator(receive, message)) differences.push('communicator')
  if (receive.peer !== 'any' && source !== sender) differences.push('source')
  if (addressee !== receiver) differences.push('destination')
  const kinds = [receive.kind, message.kind].filter((kind) => kind !== undefined)
  const [differs, another] = differences
  if (differs === undefined || another !== undefined) return undefined
  if (kinds[0] !== (kinds[1] ?? kinds[0])) return undefined
  // A wildcard that waits for anybody asks for no message in particular.
  if (differs === 'destination' && (receive.peer === 'any' || sender === receiver)) return undefined
  return { differs, receiver, receive, ...lost }
}

/** One of each sort for a pair of ranks and a receive: ten messages with a wrong tag are one mistake. */
function withoutRepetition(found: readonly NearMiss[]): NearMiss[] {
  const seen = new Set<string>()
  return found.filter((one) => {
    const { tag, peer, communicator } = one.receive
    const key = [
      one.differs,
      one.receiver,
      one.sender,
      one.addressee,
      tag,
      peer,
      communicator,
    ].join()
    return !seen.has(key) && seen.add(key)
  })
}

/** The near miss in words, both values named. */
export function describeNearMiss(miss: NearMiss): string {
  const { message, receive, receiver, sender, addressee } = miss
  const facts = [message.site, `tag ${message.tag ?? 'any'}`, describePayload(message)]
  if (miss.differs === 'communicator') facts.push(`on ${nameOf(message)}`)
  const sent = `rank ${sender} did send to rank ${addressee} (${facts.filter(Boolean).join(', ')})`
  return `${sent}; rank ${receiver} ${asked()}.\nOnly the ${miss.differs} differs.`

  function asked(): string {
    if (miss.differs === 'tag') return `asks for tag ${receive.tag}`
    if (miss.differs === 'communicator') return `asks on ${nameOf(receive, message)}`
    if (miss.differs === 'destination') return `asks ${ranksOf([sender])} for it`
    return `asks for a message from rank ${worldPeerOf(receive)}`
  }
}

function nameOf(operation: OperationRecord, other?: OperationRecord): string {
  const twin = other !== undefined && other.communicator === operation.communicator
  return twin ? `another communicator named ${operation.communicator}` : operation.communicator
}
