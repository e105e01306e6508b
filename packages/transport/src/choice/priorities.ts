import type { ChoiceSource } from './choice-stream.js'

/** How a schedule by priorities is drawn. */
export interface PriorityOptions {
  /** A whole number from 0 to 2^53 - 1. */
  readonly seed: number
  /** How many orderings a fault needs at once: 1 to 5. Default 2. */
  readonly depth?: number
  /** About how many choices a run makes; where priorities change is drawn among them. Default 100. */
  readonly events?: number
}

/** Priorities change at depth - 1 points, and each takes a word of the stream's state. */
const DEPTH_MAX = 5

/**
 * Schedules with priorities of ranks (PCT; Burckhardt et al., ASPLOS 2010): each rank has a random
 * priority, the highest that can go on does, and at depth - 1 random points the one that would go on
 * falls below all others. A fault that needs `depth` orderings among n ranks and k events is hit by
 * a run with a chance of at least 1 / (n k^(depth - 1)), where uniform choices may need exponentially many.
 *
 * @throws {RangeError} an option is out of its range
 * @example
 * const source = pct({ seed: 7, depth: 2, events: 100 })
 */
export function pct(options: PriorityOptions): ChoiceSource {
  return byPriorities(options, false)
}

/**
 * The same with priorities of chains of messages (PCTCP; Ozkan et al., OOPSLA 2018): a chain is what
 * one rank sends to another, whose messages keep their order anyway. It is the better one where the
 * fault lies in which message a wildcard takes.
 *
 * @throws {RangeError} an option is out of its range
 * @example
 * const source = pctcp({ seed: 7, depth: 3, events: 200 })
 */
export function pctcp(options: PriorityOptions): ChoiceSource {
  return byPriorities(options, true)
}

const CHAIN_SHIFT = 15
const SENDER = (1 << CHAIN_SHIFT) - 1
/** Tells the names of chains from those of ranks. */
const CHAIN = 1 << 30
/** Where what has no identity is drawn from. */
const ANONYMOUS = 0x5bd1e995

function byPriorities(
  { seed, depth = 2, events = 100 }: PriorityOptions,
  chains: boolean,
): ChoiceSource {
  requireWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER)
  requireWhole('depth', depth, 1, DEPTH_MAX)
  requireWhole('events', events, 1, 2 ** 31 - 1)
  const start = mix((seed | 0) ^ Math.imul((seed / 2 ** 32) | 0, 0x85ebca6b))
  const changes = Array.from({ length: depth - 1 }, (_, i) => mix(start + i + 1) % events)
  return {
    start() {},
    pick(index, alternatives, label, words, identify) {
      // Answers of tests and the like: no rank stands behind them. And by priorities two ranks that
      // poll might take turns for ever, while what they poll for waits.
      if (identify === undefined || label === 'poll')
        return mix(start ^ mix(index ^ ANONYMOUS)) % alternatives
      const byChain = chains && label === 'deliver'
      const nameOf = (place: number): number => {
        const identity = identify(place)
        // Never 0, which is an empty word.
        return 1 + (byChain ? identity | CHAIN : identity & SENDER)
      }
      let place = highest(start, alternatives, nameOf, words)
      for (let i = 0; i < changes.length; i++) {
        if (changes[i] !== index) continue
        words[i] = nameOf(place)
        place = highest(start, alternatives, nameOf, words)
      }
      return place
    },
  }
}

function highest(
  seed: number,
  alternatives: number,
  nameOf: (place: number) => number,
  fallen: Int32Array,
): number {
  let best = 0
  let most = -Infinity
  for (let place = 0; place < alternatives; place++) {
    const name = nameOf(place)
    const fell = fallen.lastIndexOf(name)
    // Who fell later is lower.
    const priority = fell < 0 ? mix(seed ^ mix(name)) : -1 - fell
    if (priority > most) {
      most = priority
      best = place
    }
  }
  return best
}

/** The identity of a delivery: the chain of what `sender` sends to `receiver`. */
export function chainOf(sender: number, receiver: number): number {
  return (receiver << CHAIN_SHIFT) | sender
}

/** Who sends the messages of a chain; of the identity of a rank the rank. */
export function senderOf(identity: number): number {
  return identity & SENDER
}

/** Who receives the messages of a chain. */
export function receiverOf(identity: number): number {
  return identity >>> CHAIN_SHIFT
}

/** The finalizer of MurmurHash3: 32 bits, each of which depends on all. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function requireWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${value}`)
}
