import { entryAt, TraceFlag, TraceKind, type Entry, type RankTrace } from '@commworld/mpi/inspect'
import { drawArrows, type Arrow } from './arrows.js'

/**
 * Draws the messages and collectives of a run as its traces tell them, in an order in which they can
 * have happened.
 * @example
 * const run = await runWorld(2, main)
 * console.log(drawMessages(run.traces()))
 */
export function drawMessages(traces: readonly RankTrace[], most?: number): string {
  const arrows = messagesOf(traces)
  return arrows.length === 0 ? 'no messages' : drawArrows(traces.length, arrows, most)
}

/**
 * The same as data.
 * @example
 * const run = await runWorld(2, ({ world }) => world.iallreduce(1, SUM))
 * messagesOf(run.traces()) // [ { from: 0, to: 0, text: 'iallreduce of 2 ranks' } ]
 */
export function messagesOf(traces: readonly RankTrace[]): Arrow[] {
  const arrows: Arrow[] = []
  const sent = new Map<string, Entry>()
  const received = new Set<string>()
  const cursors = traces.map(() => 0)
  for (let moved = true; moved;) {
    moved = false
    traces.forEach((trace, rank) => {
      for (; cursors[rank]! < trace.length; cursors[rank]!++) {
        const entry = entryAt(trace, cursors[rank]!)
        if (entry.kind === TraceKind.send) {
          sent.set(`${rank} ${entry.a} ${entry.b}`, entry)
        } else if (entry.kind === TraceKind.receive && entry.a >= 0) {
          const key = `${entry.a} ${rank} ${entry.b}`
          if (!sent.has(key)) return
          received.add(key)
          arrows.push({ from: entry.a, to: rank, text: wordsOf(sent.get(key)!, entry) })
        } else if (entry.kind === TraceKind.collective && isFirst(entry, rank)) {
          arrows.push({ from: rank, to: rank, text: `${entry.name} of ${entry.d} ranks` })
        }
        moved = true
      }
    })
  }
  for (const [key, entry] of sent) {
    if (received.has(key)) continue
    const from = Number(key.split(' ')[0])
    arrows.push({ from, to: entry.a, text: `${entry.name}, tag ${entry.d}: not received` })
  }
  return arrows
}

function wordsOf(send: Entry, receive: Entry): string {
  const any = (receive.flags & TraceFlag.choice) !== 0 ? ', from any source' : ''
  return `${send.name}, tag ${send.d}${any}`
}

/** Of the members of a collective one tells. */
function isFirst({ a: root }: Entry, rank: number): boolean {
  return rank === Math.max(root, 0)
}
