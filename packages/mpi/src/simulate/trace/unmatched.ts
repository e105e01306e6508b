import { ImportError } from '@commworld/transport/simulated'
import type { Action, Trace } from './action.js'

/** A source or a tag below 0 stands for any. */
export function isWild(peerOrTag: number): boolean {
  return peerOrTag < 0
}

/**
 * Refuses a trace with a message that nobody receives, or a receive of what nobody sends. Receives from any
 * source or by any tag may be of any of a rank's messages: of such ranks only the run can tell.
 *
 * @throws ImportError with the line of the first that finds no match
 */
export function checkMatches({ ranks }: Trace): void {
  const wild = ranks.map((actions) =>
    actions.some((one) => one.does === 'receive' && (isWild(one.peer) || isWild(one.tag))),
  )
  const sent = collected(ranks, 'send')
  const received = collected(ranks, 'receive')
  for (const [key, sends] of sent) {
    const { length } = received.get(key) ?? []
    if (sends.length <= length || wild[destOf(key)]!) continue
    throw refused(sends[length]!, `${sends.length} such messages are sent, and ${length} received`)
  }
  for (const [key, receives] of received) {
    const { length } = sent.get(key) ?? []
    if (receives.length <= length || wild[destOf(key)]!) continue
    throw refused(
      receives[length]!,
      `${receives.length} such messages are received, and ${length} sent`,
    )
  }
}

/** Sends or receives by source, destination and tag, in order. */
function collected(ranks: Trace['ranks'], does: 'send' | 'receive'): Map<string, Action[]> {
  const found = new Map<string, Action[]>()
  ranks.forEach((actions, rank) => {
    for (const action of actions) {
      if (action.does !== does) continue
      const { peer, tag } = action
      const key = does === 'send' ? `${rank} ${peer} ${tag}` : `${peer} ${rank} ${tag}`
      const list = found.get(key)
      if (list === undefined) found.set(key, [action])
      else list.push(action)
    }
  })
  return found
}

function destOf(key: string): number {
  return Number(key.split(' ')[1])
}

function refused({ file, line, text }: Action, reason: string): ImportError {
  return new ImportError(file, line, `'${text}' finds no match: ${reason}`)
}
