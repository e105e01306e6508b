import type { Movement, Observer, Stuck, AbstractValue } from '@commworld/mpi/inspect'
import { describeValue, membersOf } from '@commworld/mpi/inspect'
import { drawArrows } from '../picture/arrows.js'

const BUFFERS = ['in', 'out', 'tmp', 'slot', 'shared']

/** Keeps what a run did, to be drawn when it fails. */
export class Sketch implements Observer {
  readonly #movements: Movement[] = []
  #stuck: readonly Stuck[] = []
  #words: string[] = []

  moved(movement: Movement): void {
    this.#movements.push(movement)
  }

  stuck(waiting: readonly Stuck[]): void {
    this.#stuck = waiting
  }

  wrong(rank: number, block: number, seen: AbstractValue | undefined, wanted: AbstractValue): void {
    this.#words = [...differences(seen, wanted)].map(
      (words) => `rank ${rank}, block ${block}: ${words}`,
    )
  }

  /** What differs, who waits for whom, and what moved until then. */
  lines(size: number): string[] {
    return [...this.#words, ...waitLines(this.#stuck), '', this.#picture(size)]
  }

  #picture(size: number): string {
    if (this.#movements.length === 0) return 'nothing was moved before that'
    const arrows = this.#movements.map((movement) => ({
      from: movement.from,
      to: movement.to,
      text: wordsOf(movement),
    }))
    return drawArrows(size, arrows)
  }
}

function wordsOf(movement: Movement): string {
  const { kind, round, count, folds, value } = movement
  if (kind === 'signal') return `round ${round}: signal`
  const range = (first: number): string =>
    count === 1 ? `${first}` : `${first}..${first + count - 1}`
  const from = `${BUFFERS[movement.fromBuffer]} ${range(movement.fromBlock)}`
  const to = `${BUFFERS[movement.toBuffer]} ${range(movement.toBlock)}`
  const verb = kind === 'message' ? '' : `${kind === 'local' ? 'copy' : kind} `
  const what = value === undefined ? '' : `: ${describeValue(value)}`
  return `round ${round}: ${verb}${from} ${folds ? 'folded into' : '->'} ${to}${what}`
}

/** Contributions that are missing, there more than once, or out of order. */
function* differences(seen: AbstractValue | undefined, wanted: AbstractValue): Iterable<string> {
  if (seen === undefined) return
  if (seen.block !== wanted.block) {
    yield `it is made of block ${seen.block < 0 ? 'several blocks' : seen.block}, not of block ${wanted.block}`
  }
  if (wanted.lower === undefined) return
  const has = membersOf(seen, 100_000)
  const needs = membersOf(wanted)
  const counts = new Map<number, number>()
  for (const member of has) counts.set(member, (counts.get(member) ?? 0) + 1)
  const missing = needs.filter((member) => !counts.has(member))
  const needed = new Set(needs)
  const extra = [...counts.keys()].filter((member) => !needed.has(member))
  const twice = [...counts].filter(([, count]) => count > 1)
  if (missing.length > 0) yield `missing: the contribution of ${ranks(missing)}`
  if (extra.length > 0) yield `too many: the contribution of ${ranks(extra)}`
  for (const [member, count] of twice.slice(0, 3)) {
    yield `the contribution of rank ${member} is there ${count === 2 ? 'twice' : `${count} times`}`
  }
  if (missing.length + extra.length + twice.length > 0) return
  const at = has.findIndex((member, i) => member !== needs[i])
  if (at >= 0) {
    yield `out of order: the contribution of rank ${has[at]} stands where rank ${needs[at]}'s belongs`
  }
}

function ranks(members: readonly number[]): string {
  const named = members.slice(0, 8).join(' ')
  const more = members.length > 8 ? ` and ${members.length - 8} more` : ''
  return `rank${members.length === 1 ? '' : 's'} ${named}${more}`
}

/** Who waits for whom; the circle among them, if there is one. */
function waitLines(stuck: readonly Stuck[]): string[] {
  const waits = new Map(stuck.map(({ rank, peer }) => [rank, peer]))
  const lines = stuck.slice(0, 12).map(({ rank, peer, round, words, why }) => {
    const where = round < 0 ? '' : `round ${round}: `
    const whom = peer === rank ? 'itself' : `rank ${peer}`
    const who = peer < 0 ? '' : `, and waits for ${whom}`
    return `${where}${words}${who}${why === '' ? '' : ` (${why})`}`
  })
  if (stuck.length > 12) lines.push(`... and ${stuck.length - 12} ranks more`)
  const circle = circleOf(waits)
  if (circle.length > 1) lines.push(`the circle: ${[...circle, circle[0]].join(' -> ')}`)
  return lines
}

function circleOf(waits: ReadonlyMap<number, number>): number[] {
  for (const start of waits.keys()) {
    const path: number[] = []
    let at: number | undefined = start
    while (at !== undefined && at >= 0 && !path.includes(at)) {
      path.push(at)
      at = waits.get(at)
    }
    if (at === start) return path
  }
  return []
}
