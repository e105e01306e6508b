import type { Rank } from '../rank.js'

/** What a rank of a world that has ended still holds of what it should have given back. */
export interface Holdings {
  readonly rank: number
  /** Something that was sent is not handed over yet. */
  readonly unsent: boolean
  /** An operation still owns memory. */
  readonly ownsMemory: boolean
  readonly bufferedBytes: number
  /** Blocks of staging memory, payloads that were kept or are on their way, besides those of boards. */
  readonly stagedBlocks: number
  /** Eager bytes that peers are owed or have taken, with the credit that is left; by peer. */
  readonly credits: readonly {
    readonly peer: number
    readonly left: number
    readonly owed: number
  }[]
  /** Credit of each pair at the start. */
  readonly creditBytes: number
  /** Queue pairs that are in another state than that in which they send and receive. */
  readonly brokenQueuePairs: readonly { readonly peer: number; readonly state: string }[]
}

export function holdingsOf(one: Rank): Holdings {
  const { rank, endpoint, outbox, ownership, communicators } = one
  const kept = communicators.known().map(({ board }) => board?.keptBlocks ?? 0)
  const peers = [...endpoint.peers()]
  return {
    rank,
    unsent: endpoint.unsent || endpoint.hasWork,
    ownsMemory: ownership.busy,
    bufferedBytes: outbox.bufferedBytes,
    stagedBlocks: kept.reduce((left, blocks) => left - blocks, endpoint.staging.blocks),
    creditBytes: endpoint.creditBytes,
    credits: peers.map((peer) => ({ peer: peer.rank, left: peer.credit, owed: peer.owed })),
    brokenQueuePairs: peers
      .map(({ rank: other, queuePair }) => ({ peer: other, state: queuePair.state }))
      .filter(({ state }) => state !== 'readyToSend'),
  }
}

/** What is wrong with the holdings of all ranks of a world together, a sentence each. */
export function leaksOf(all: readonly Holdings[]): string[] {
  const owedTo = new Map<string, number>()
  for (const { rank, credits } of all) {
    for (const { peer, owed } of credits) owedTo.set(`${peer} ${rank}`, owed)
  }
  return all.flatMap((one) => {
    const found: string[] = []
    const who = `rank ${one.rank}`
    if (one.unsent) found.push(`${who} has work left: the world is not quiescent`)
    if (one.ownsMemory) found.push(`${who} has an operation that still owns memory`)
    if (one.bufferedBytes > 0) found.push(`${who} still buffers ${one.bufferedBytes} bytes`)
    if (one.stagedBlocks > 0) found.push(`${who} never gave ${one.stagedBlocks} staged blocks back`)
    for (const { peer, state } of one.brokenQueuePairs) {
      found.push(`the queue pair of ${who} to rank ${peer} is in state ${state}`)
    }
    for (const { peer, left } of one.credits) {
      const lost = one.creditBytes - left - (owedTo.get(`${one.rank} ${peer}`) ?? 0)
      if (lost !== 0) found.push(`${who} lost ${lost} bytes of its credit at rank ${peer}`)
    }
    return found
  })
}
