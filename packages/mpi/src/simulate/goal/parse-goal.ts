import { ImportError } from '@commworld/transport/simulated'
import { CALC, type GoalOperation, type GoalSchedule, RECEIVE, SEND } from './schedule.js'

const NUMBER = String.raw`(-?\d+)`
const PLACE = String.raw`(?:\s+(?:cpu|nic)\s+\d+)*`
const TAG = String.raw`(?:\s+tag\s+${NUMBER})?`
const OPERATION = new RegExp(
  String.raw`^(?:(\w+)\s*:\s*)?(?:(send)\s+${NUMBER}b\s+to\s+${NUMBER}${TAG}|` +
    String.raw`(recv)\s+${NUMBER}b\s+from\s+${NUMBER}${TAG}|(calc)\s+${NUMBER})${PLACE}$`,
)
const ORDER = /^(\w+)\s+(i?requires)\s+(\w+)$/

/**
 * Reads a schedule in the text form of GOAL (Hoefler et al. 2009), as LogGOPSim's txt2bin takes it.
 *
 * @throws ImportError with line and reason
 */
export function parseGoal(text: string, name = 'schedule.goal'): GoalSchedule {
  return new GoalParser(text, name).schedule()
}

class GoalParser {
  readonly #name: string
  readonly #lines: readonly string[]
  #line = 0
  #ranks: (GoalOperation[] | undefined)[] = []
  #operations: GoalOperation[] | undefined
  #labels = new Map<string, number>()

  constructor(text: string, name: string) {
    this.#name = name
    this.#lines = withoutComments(text).split('\n')
  }

  schedule(): GoalSchedule {
    for (const line of this.#lines) {
      this.#line++
      // A brace may stand on the line of something else.
      for (const part of line.split(/(?<=\{)|(?=\})|(?<=\})|;/)) {
        const statement = part.trim()
        if (statement !== '') this.#statement(statement)
      }
    }
    if (this.#operations !== undefined) throw this.#error('the last rank has no closing brace')
    if (this.#ranks.length === 0) throw this.#error('there is no num_ranks')
    return { name: this.#name, ranks: this.#ranks.map((rank) => rank ?? []) }
  }

  #statement(statement: string): void {
    const count = /^num_ranks\s+(\d+)$/.exec(statement)
    if (count !== null) {
      if (Number(count[1]) < 1) throw this.#error('num_ranks is at least 1')
      this.#ranks = new Array<GoalOperation[] | undefined>(Number(count[1])).fill(undefined)
      return
    }
    const block = /^rank\s+(\d+)\s*\{$/.exec(statement)
    if (block !== null) return this.#open(Number(block[1]))
    if (this.#operations === undefined) {
      throw this.#error(`'${statement}' stands outside of a rank: rank 0 { ... }`)
    }
    if (statement === '}') {
      this.#operations = undefined
      return
    }
    const order = ORDER.exec(statement)
    if (order !== null) this.#order(order[1]!, order[2]!, order[3]!)
    else this.#operation(this.#operations, statement)
  }

  #open(rank: number): void {
    if (this.#operations !== undefined) throw this.#error('a rank begins inside of another')
    if (rank >= this.#ranks.length) {
      throw this.#error(`there is no rank ${rank}: num_ranks is ${this.#ranks.length}`)
    }
    if (this.#ranks[rank] !== undefined) throw this.#error(`rank ${rank} is there already`)
    this.#operations = []
    this.#ranks[rank] = this.#operations
    this.#labels = new Map()
  }

  #operation(operations: GoalOperation[], statement: string): void {
    const found = OPERATION.exec(statement)
    if (found === null) throw this.#error(`'${statement}' is neither operation nor order`)
    const [, label, send, sent, to, sendTag, receive, received, from, receiveTag, , ns] = found
    const kind = send ? SEND : receive ? RECEIVE : CALC
    const peer = Number(to ?? from ?? 0)
    const least = kind === RECEIVE ? -1 : 0
    if (peer < least || peer >= this.#ranks.length) {
      throw this.#error(`there is no rank ${peer}: num_ranks is ${this.#ranks.length}`)
    }
    const number = operations.length
    if (label !== undefined) {
      if (this.#labels.has(label)) throw this.#error(`the label ${label} is taken`)
      this.#labels.set(label, number)
    }
    operations.push({
      kind,
      peer,
      tag: Number(sendTag ?? receiveTag ?? 0),
      bytes: Number(sent ?? received ?? 0),
      ns: Number(ns ?? 0),
      line: this.#line,
      label: label ?? `operation ${number}`,
      beforeEnd: [],
      beforeStart: [],
      needs: 0,
    })
  }

  #order(later: string, how: string, earlier: string): void {
    const after = this.#operations![this.#numberOf(later)]!
    const before = this.#operations![this.#numberOf(earlier)]!
    const list = how === 'requires' ? before.beforeEnd : before.beforeStart
    list.push(this.#numberOf(later))
    after.needs++
  }

  #numberOf(label: string): number {
    const number = this.#labels.get(label)
    if (number === undefined) throw this.#error(`there is no operation ${label} before this line`)
    return number
  }

  #error(reason: string): ImportError {
    return new ImportError(this.#name, this.#line, reason)
  }
}

/** Lines stay where they are. */
function withoutComments(text: string): string {
  const blank = (comment: string): string => comment.replace(/[^\n]/g, ' ')
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/\/\/.*$/gm, '')
}
