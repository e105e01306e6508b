import type { OperationRecord } from '../record/operation.js'
import type { Core } from './smallest-core.js'
import { describeCall, isCollective, isReceive, isSend, plural, worldPeerOf } from './describe.js'
import type { NearMiss } from './near-miss.js'
import type { Remark } from './report.js'
import type { Scene } from './scene.js'

/** Likely causes of a deadlock, in words, and what to change. As far as the facts allow, no further. */

export interface Advice {
  remarks: Remark[]
  suggestion?: string
}

const LIKELY = 'likely cause'

/** What explains the core when no message was nearly right. */
export function adviceOnCore(core: Core, scene: Scene): Advice {
  if (core.shape === 'ended') return adviceOnEnded(core.ranks[0] as number, scene)
  const stuckIn = core.ranks.map((rank) => scene.communications(rank))
  if (core.ranks.length === 1) return TO_ITSELF
  if (stuckIn.every((all) => all.some(isReceive) && !all.some(isSend))) {
    return everyoneReceives(core, scene)
  }
  if (stuckIn.every((all) => all.length > 0 && all.every(isSend))) return EVERYONE_SENDS
  const inside = stuckIn.filter((all) => all.some(isCollective))
  if (inside.length === 0) return { remarks: [] }
  return inside.length < core.ranks.length
    ? collectiveAlone(core, scene)
    : collectivesCross(core, scene)
}

const TO_ITSELF: Advice = {
  remarks: [
    {
      label: LIKELY,
      text: 'a blocking call to itself: the rank cannot reach the other half of it.',
    },
  ],
  suggestion: 'use sendrecv, or the i-form (isend, irecv) and wait for it afterwards',
}

const EVERYONE_SENDS: Advice = {
  remarks: [
    {
      label: LIKELY,
      text: 'all of them send first, and no send can complete before the other side receives.',
    },
  ],
  suggestion: 'use sendrecv, or post the receives first (irecv)',
}

function everyoneReceives(core: Core, scene: Scene): Advice {
  const traffic = core.ranks.some((rank) => (scene.snapshot(rank)?.unexpected.length ?? 0) > 0)
  if (traffic) return { remarks: [] }
  const all = core.ranks.length === 2 ? 'both' : 'all of them'
  return {
    remarks: [{ label: LIKELY, text: `${all} receive first, so nobody gets to its send.` }],
    suggestion: 'let one side send first, or use sendrecv',
  }
}

function collectiveAlone(core: Core, scene: Scene): Advice {
  const inside = core.ranks.find((rank) => scene.communications(rank).some(isCollective)) as number
  const outside = core.ranks.find(
    (rank) => !scene.communications(rank).some(isCollective),
  ) as number
  const text =
    `rank ${inside} is in ${callOf(scene, inside)}, a collective, and rank ${outside} in ` +
    `${callOf(scene, outside)}, point to point: each waits for the other to come where it is.`
  return {
    remarks: [{ label: LIKELY, text }],
    suggestion: 'let every rank of the communicator call the collective at the same point',
  }
}

function collectivesCross(core: Core, scene: Scene): Advice {
  const text = 'the ranks call collectives in different orders.'
  const calls = new Set(core.ranks.map((rank) => callOf(scene, rank)))
  if (calls.size < 2) return { remarks: [] }
  return {
    remarks: [{ label: LIKELY, text }],
    suggestion: 'call the collectives of a communicator in the same order on every rank',
  }
}

function callOf(scene: Scene, rank: number): string {
  const [operation] = scene.communications(rank)
  return operation ? describeCall(operation) : 'a call'
}

/** The partner has left: how many messages did the two of them exchange? */
function adviceOnEnded(rank: number, scene: Scene): Advice {
  const [operation] = scene.communications(rank)
  if (operation === undefined) return { remarks: [] }
  const partner = worldPeerOf(operation)
  if (partner === undefined || scene.state(partner) !== 'finished') {
    if (!isCollective(operation)) return { remarks: [] }
    return { remarks: [], suggestion: 'let every rank of the communicator call the collective' }
  }
  const remarks = countsBetween(rank, partner, operation, scene)
  return { remarks, suggestion: 'let both sides run the same number of rounds' }
}

function countsBetween(
  rank: number,
  partner: number,
  operation: OperationRecord,
  scene: Scene,
): Remark[] {
  const mine = scene.snapshot(rank)?.traffic?.find((one) => one.peer === partner)
  const receives = isReceive(operation)
  const done = receives ? mine?.received : mine?.sent
  if (done === undefined) return []
  const text = receives
    ? `rank ${partner} sent ${plural(done, 'message')} that rank ${rank} received, and then ` +
      `finished; rank ${rank} asks for one more.`
    : `rank ${partner} has finished; this is message ${done} that rank ${rank} sends to it.`
  return [{ label: 'count', text }]
}

/** What the kind of near miss suggests. */
export function adviceOnNearMiss(miss: NearMiss, scene: Scene): Advice {
  if (miss.differs === 'tag') return adviceOnTag(miss, scene)
  if (miss.differs === 'communicator') {
    const text =
      `a message stays within its communicator; ${miss.message.communicator} and ` +
      `${miss.receive.communicator} are two, although both hold these ranks.`
    return { remarks: [{ label: 'why', text }], suggestion: 'use one communicator on both sides' }
  }
  const numbering = otherNumbering(miss)
  if (numbering) return numbering
  return { remarks: [], suggestion: 'let dest on one side and source on the other name each other' }
}

/** The program gave a rank of the world where a rank of the communicator is meant. */
function otherNumbering(miss: NearMiss): Advice | undefined {
  const { receive, message, sender, receiver, addressee } = miss
  const operation = miss.differs === 'source' ? receive : message
  const meant = miss.differs === 'source' ? sender : receiver
  const reached = miss.differs === 'source' ? worldPeerOf(receive) : addressee
  if (operation.worldPeer === undefined || operation.peer === operation.worldPeer) return undefined
  if (operation.peer !== meant) return undefined
  const text =
    `rank ${operation.peer} of ${operation.communicator} is rank ${reached} of world: ` +
    'peer ranks are relative to the communicator.'
  return {
    remarks: [{ label: 'why', text }],
    suggestion: 'translate the rank with group.translateRanks',
  }
}

function adviceOnTag(miss: NearMiss, scene: Scene): Advice {
  const step = tagStep(miss, scene)
  if (step === undefined) return { remarks: [], suggestion: 'use one tag constant on both sides' }
  const text = `the tags rank ${miss.sender} sends with grow by ${step} each time, as a loop index does.`
  return {
    remarks: [{ label: LIKELY, text }],
    suggestion: 'let both sides compute the tag from the same index, or use one constant',
  }
}

/** The common difference of the tags of the sender's last messages to this receiver; three at least. */
function tagStep(miss: NearMiss, scene: Scene): number | undefined {
  const tags = (scene.snapshot(miss.sender)?.recent ?? [])
    .filter((one) => isSend(one) && worldPeerOf(one) === miss.addressee)
    .flatMap((one) => (typeof one.tag === 'number' ? one.tag : []))
  const [first, second, third] = tags
  if (first === undefined || second === undefined || third === undefined) return undefined
  const step = second - first
  return step !== 0 && tags.every((tag, at) => tag === first + at * step) ? step : undefined
}

/** Requests of stuck ranks that nobody waits on: often the other half of the mistake. */
export function forgottenRequests(core: Core, scene: Scene): Remark[] {
  const remarks = core.ranks.flatMap((rank) => {
    const waited = new Set(scene.arcs(rank).map((arc) => arc.operation.sequence))
    const open = scene.snapshot(rank)?.openRequests ?? []
    return open
      .filter((request) => !waited.has(request.sequence))
      .map((request) => {
        const at = request.site ? ` at ${request.site}` : ''
        return `the ${describeCall(request)} of rank ${rank}${at} is open, and nobody has waited on it.`
      })
  })
  return remarks.slice(0, 2).map((text) => ({ label: 'also', text }))
}
