import type { Arc } from '../record/rank-snapshot.js'
import type { OperationRecord } from '../record/operation.js'
import {
  agree,
  describeCall,
  isCollective,
  isCompletion,
  isReceive,
  ranksOf,
  sameCommunicator,
  worldPeerOf,
} from './describe.js'
import type { Evidence } from './report.js'
import type { Scene } from './scene.js'
import { hasEnded, peersOf } from './wait-graph.js'

/** Who waits for whom, in words. */

/** Lines of a waitAll or an await of many requests before the rest is only counted. */
const MOST_PARTS = 4

/** One line for a plain call; for a wait on several requests one line more for each of them. */
export function waitingEvidence(rank: number, scene: Scene): Evidence[] {
  const operation = scene.operation(rank)
  const arcs = scene.arcs(rank)
  if (operation === undefined) return [line([rank], { says: 'has not said what it waits for' })]
  const place = { call: describeCall(operation), site: scene.site(rank) }
  if (!isCompletion(operation) || arcs.length === 0) {
    return [line([rank], { ...place, says: allWords(arcs, rank, scene) })]
  }
  const says = `waits for ${howMany(operation, arcs)}`
  const shown = arcs.slice(0, MOST_PARTS).map((arc) => {
    const call = `  ${describeCall(arc.operation)}`
    return line([], { call, site: arc.operation.site, says: arcWords(arc, rank, scene) })
  })
  const left = arcs.length - shown.length
  const rest = left > 0 ? [line([], { says: `... and ${left} requests more` })] : []
  return [line([rank], { ...place, says }), ...shown, ...rest]
}

function howMany(operation: OperationRecord, arcs: readonly Arc[]): string {
  if (arcs.length === 1) return 'this request'
  const either = operation.name !== 'wait' && operation.name !== 'waitAll'
  return either ? `one of these ${arcs.length} requests` : `these ${arcs.length} requests`
}

function line(
  ranks: readonly number[],
  facts: { call?: string; site?: string | undefined; says?: string },
): Evidence {
  const { site, ...rest } = facts
  return site === undefined ? { ranks, ...rest } : { ranks, ...rest, site }
}

function allWords(arcs: readonly Arc[], rank: number, scene: Scene): string {
  const [first] = arcs
  if (first === undefined) return 'waits for something that nothing can bring about'
  const oneCollective = isCollective(first.operation) && arcs.length > 1
  if (oneCollective && arcs.every((arc) => typeof arc.peer === 'number')) {
    const members = arcs.map((arc) => arc.peer as number)
    return arcWords({ peer: 'all', members, operation: first.operation }, rank, scene)
  }
  return arcs.map((arc) => arcWords(arc, rank, scene)).join(', and ')
}

/** What one arc waits for: `waits for a message from rank 1, which has finished`. */
export function arcWords(arc: Arc, rank: number, scene: Scene): string {
  const peers = peersOf(arc, rank, scene.ranks)
  const { operation } = arc
  const who = ranksOf(peers)
  const then = fate(peers, scene)
  if (isCollective(operation)) return collectiveWords(operation, peers, scene)
  if (arc.peer === 'any') return `waits for a message from anybody${nobodyLeft(peers, rank, scene)}`
  if (peers.length === 1 && peers[0] === rank) return 'waits for itself'
  const half = halfTowards(arc)
  const place = elsewhere(half)
  if (isReceive(half)) return `waits for a message from ${who}${place}${then}`
  if (half.receiving) return `waits for ${who}${place} to do its part${then}`
  return `waits for ${who}${place} to receive${then}`
}

/** Of a sendrecv the half that goes to the peer, when only one does. */
function halfTowards(arc: Arc): OperationRecord {
  const { operation, peer } = arc
  if (!operation.receiving || worldPeerOf(operation) === peer) return operation
  return { ...operation.receiving, name: 'recv' }
}

function nobodyLeft(peers: readonly number[], rank: number, scene: Scene): string {
  const gone = peers.every((peer) => peer === rank || hasEnded(scene.state(peer)))
  if (!gone) return ''
  return scene.ranks.length === 1 ? ', and there is nobody else' : ', and all others have ended'
}

/** Of those that a collective waits for some may be in it as well, and wait for others. */
function collectiveWords(
  operation: OperationRecord,
  peers: readonly number[],
  scene: Scene,
): string {
  const isInside = (peer: number): boolean =>
    scene.communications(peer).some((one) => isSameCollective(one, operation))
  const inside = peers.filter(isInside)
  const absent = peers.filter((peer) => !isInside(peer))
  if (absent.length === 0) {
    return `waits for ${ranksOf(inside)}, which ${agree(inside, 'is', 'are')} in it as well`
  }
  const ended = absent.filter((peer) => hasEnded(scene.state(peer)))
  const words = `waits for ${ranksOf(absent)} ${entering(operation)}${ending(ended, absent, scene)}`
  return inside.length === 0 ? words : `${words}; and for ${ranksOf(inside)}, in it as well`
}

function isSameCollective(a: OperationRecord, b: OperationRecord): boolean {
  return a.number !== undefined && a.number === b.number && sameCommunicator(a, b)
}

function entering(operation: OperationRecord): string {
  return operation.name === 'finalize' ? 'to finish' : `to call ${operation.name}`
}

/** `, but it has finished`: who will never come. */
function ending(ended: readonly number[], absent: readonly number[], scene: Scene): string {
  if (ended.length === 0) return ''
  const failed = ended.some((rank) => scene.state(rank) === 'failed')
  const finished = ended.some((rank) => scene.state(rank) === 'finished')
  const how = failed && finished ? 'ended' : failed ? 'failed' : 'finished'
  const who = ended.length < absent.length ? ranksOf(ended) : agree(ended, 'it', 'they')
  return `, but ${who} ${agree(ended, 'has', 'have')} ${how}`
}

/** ` (rank 3 of row)` when the communicator counts differently from the world. */
function elsewhere(operation: OperationRecord): string {
  const { peer, worldPeer, communicator } = operation
  if (typeof peer !== 'number' || worldPeer === undefined || peer === worldPeer) return ''
  return ` (rank ${peer} of ${communicator})`
}

function fate(peers: readonly number[], scene: Scene): string {
  const of = (state: 'finished' | 'failed'): readonly number[] =>
    peers.filter((peer) => scene.state(peer) === state)
  const words = (['finished', 'failed'] as const).flatMap((state) => {
    const ended = of(state)
    if (ended.length === 0) return []
    const who = ended.length === peers.length ? 'which' : `of which ${ranksOf(ended)}`
    return `${who} ${agree(ended, 'has', 'have')} ${state}`
  })
  return words.length > 0 ? `, ${words.join(', ')}` : ''
}

/** Ranks that say the same in the same places become one; each block is what one rank says. */
export function merged(blocks: readonly (readonly Evidence[])[]): Evidence[] {
  const known = new Map<string, (Evidence & { ranks: number[] })[]>()
  for (const block of blocks) {
    const key = JSON.stringify(block.map(({ call, site, says }) => [call, site, says]))
    const alike = known.get(key)
    if (alike) alike.forEach((row, at) => row.ranks.push(...(block[at]?.ranks ?? [])))
    else
      known.set(
        key,
        block.map((row) => ({ ...row, ranks: [...row.ranks] })),
      )
  }
  return [...known.values()].flat()
}
