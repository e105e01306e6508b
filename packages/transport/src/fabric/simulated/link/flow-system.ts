import { event, FLOW_ENDS, RATES_CHANGE } from '../network/event-kinds.js'
import { twice } from '../../../memory/twice.js'
import type { EventQueue } from '../kernel/event-queue.js'
import type { LinkLoad } from '../routing/routing.js'

const NONE = -1

/**
 * Flows that come and go, each over some links, with max-min fair rates at any time (link/max-min.ts
 * says what that is). Work is counted in picoseconds at the full rate of a host's link.
 *
 * Rates change only in the part of the network that is connected with a change, and once for all that
 * happens at the same time. A flow alone on its links needs no sharing at all.
 */
export class FlowSystem implements LinkLoad {
  readonly #queue: EventQueue
  readonly #capacity: Float64Array
  /** Links that a flow may have. */
  readonly #linksMax: number
  // Of each flow.
  #token = new Int32Array(64)
  #left = new Float64Array(64)
  #rate = new Float64Array(64)
  #since = new Float64Array(64)
  #due = new Float64Array(64)
  #length = new Int32Array(64)
  #fixed = new Int32Array(64)
  #free = NONE
  #flows = 0
  // Of each place of a flow on a link (flow * linksMax + i): the link, and its neighbours there.
  #link: Int32Array
  #next: Int32Array
  #before: Int32Array
  // Of each link.
  readonly #first: Int32Array
  readonly #count: Int32Array
  readonly #peak: Int32Array
  readonly #busySince: Float64Array
  readonly #busy: Float64Array
  readonly #carried: Float64Array
  readonly #remaining: Float64Array
  readonly #open: Int32Array
  readonly #mark: Int32Array
  #marks = 0
  readonly #changed: number[] = []
  #announced = false

  /** @param capacity of each link, as a share of the rate that work is counted in */
  constructor(queue: EventQueue, capacity: Float64Array, linksMax: number) {
    this.#queue = queue
    this.#capacity = capacity
    this.#linksMax = linksMax
    this.#link = new Int32Array(64 * linksMax)
    this.#next = new Int32Array(64 * linksMax)
    this.#before = new Int32Array(64 * linksMax)
    const links = capacity.length
    this.#first = new Int32Array(links).fill(NONE)
    this.#count = new Int32Array(links)
    this.#peak = new Int32Array(links)
    this.#busySince = new Float64Array(links)
    this.#busy = new Float64Array(links)
    this.#carried = new Float64Array(links)
    this.#remaining = new Float64Array(links)
    this.#open = new Int32Array(links)
    this.#mark = new Int32Array(links)
  }

  loadOf(link: number): number {
    return this.#count[link]!
  }

  peakOf(link: number): number {
    return this.#peak[link]!
  }

  /** Time that the link carried anything. */
  busyOf(link: number): number {
    const open = this.#count[link]! > 0 ? this.#queue.now - this.#busySince[link]! : 0
    return this.#busy[link]! + open
  }

  /** Work that the link carried. */
  carriedOf(link: number): number {
    return this.#carried[link]!
  }

  /** Begins a flow over the first `length` links of `path`. */
  begin(token: number, work: number, path: Int32Array, length: number): void {
    const { now } = this.#queue
    const flow = this.#newFlow()
    this.#token[flow] = token
    this.#left[flow] = work
    this.#since[flow] = now
    this.#rate[flow] = 0
    this.#due[flow] = NONE
    this.#length[flow] = length
    let alone = Infinity
    const base = flow * this.#linksMax
    for (let i = 0; i < length; i++) {
      const link = path[i]!
      const head = this.#first[link]!
      this.#link[base + i] = link
      this.#next[base + i] = head
      this.#before[base + i] = NONE
      if (head !== NONE) this.#before[head] = base + i
      this.#first[link] = base + i
      this.#carried[link]! += work
      const count = ++this.#count[link]!
      if (count > this.#peak[link]!) this.#peak[link] = count
      if (count === 1) this.#busySince[link] = now
      else alone = 0
      if (this.#capacity[link]! < alone) alone = this.#capacity[link]!
    }
    if (alone > 0) this.#setRate(flow, alone)
    else this.#changes(path[0]!)
  }

  /** @returns the token of a flow that has ended, or -1 when its rate has changed since */
  end(flow: number): number {
    const { now } = this.#queue
    if (this.#due[flow] !== now) return NONE
    const base = flow * this.#linksMax
    for (let i = 0; i < this.#length[flow]!; i++) {
      const place = base + i
      const link = this.#link[place]!
      const next = this.#next[place]!
      const before = this.#before[place]!
      if (before === NONE) this.#first[link] = next
      else this.#next[before] = next
      if (next !== NONE) this.#before[next] = before
      if (--this.#count[link]! === 0) this.#busy[link]! += now - this.#busySince[link]!
      else this.#changes(link)
    }
    this.#due[flow] = NONE
    this.#length[flow] = this.#free
    this.#free = flow
    return this.#token[flow]!
  }

  /** Shares anew what is connected with the changes. */
  settle(): void {
    this.#announced = false
    this.#marks++
    for (const link of this.#changed) {
      if (this.#mark[link] !== this.#marks && this.#count[link]! > 0) this.#share(link)
    }
    this.#changed.length = 0
  }

  #changes(link: number): void {
    this.#changed.push(link)
    if (this.#announced) return
    this.#announced = true
    this.#queue.push(this.#queue.now, event(RATES_CHANGE, 0))
  }

  /** Progressive filling of the part of the network that a link belongs to. */
  #share(start: number): void {
    const { links, flows } = this.#connected(start)
    let unfixed = flows.length
    let first = 0
    while (unfixed > 0) {
      let least = Infinity
      // Links that have nothing to share any more are moved out of the way.
      for (let i = first; i < links.length; i++) {
        const link = links[i]!
        if (this.#open[link] === 0) {
          links[i] = links[first]!
          links[first++] = link
          continue
        }
        const share = this.#remaining[link]! / this.#open[link]!
        if (share < least) least = share
      }
      const limit = least * (1 + 1e-12)
      for (let i = first; i < links.length; i++) {
        const link = links[i]!
        if (this.#open[link] === 0 || this.#remaining[link]! / this.#open[link]! > limit) continue
        for (let place = this.#first[link]!; place !== NONE; place = this.#next[place]!) {
          const flow = Math.floor(place / this.#linksMax)
          if (this.#fixed[flow] === this.#marks) continue
          this.#fix(flow, least)
          unfixed--
        }
      }
    }
  }

  #fix(flow: number, rate: number): void {
    this.#fixed[flow] = this.#marks
    const base = flow * this.#linksMax
    for (let i = 0; i < this.#length[flow]!; i++) {
      const link = this.#link[base + i]!
      this.#remaining[link] = Math.max(0, this.#remaining[link]! - rate)
      this.#open[link]!--
    }
    this.#setRate(flow, rate)
  }

  #connected(start: number): { links: number[]; flows: number[] } {
    const links = [start]
    const flows: number[] = []
    this.#visit(start)
    for (const link of links) {
      for (let place = this.#first[link]!; place !== NONE; place = this.#next[place]!) {
        const flow = Math.floor(place / this.#linksMax)
        // Seen, but not fixed yet: negative.
        if (this.#fixed[flow] === -this.#marks) continue
        this.#fixed[flow] = -this.#marks
        flows.push(flow)
        const base = flow * this.#linksMax
        for (let i = 0; i < this.#length[flow]!; i++) {
          const other = this.#link[base + i]!
          if (this.#mark[other] === this.#marks) continue
          this.#visit(other)
          links.push(other)
        }
      }
    }
    return { links, flows }
  }

  #visit(link: number): void {
    this.#mark[link] = this.#marks
    this.#remaining[link] = this.#capacity[link]!
    this.#open[link] = this.#count[link]!
  }

  #setRate(flow: number, rate: number): void {
    if (rate === this.#rate[flow]) return
    const { now } = this.#queue
    const left = Math.max(0, this.#left[flow]! - (now - this.#since[flow]!) * this.#rate[flow]!)
    this.#left[flow] = left
    this.#since[flow] = now
    this.#rate[flow] = rate
    // A hair less than a picosecond is nothing: sums of shares are not exact.
    const due = now + Math.ceil(left / rate - 1e-3)
    this.#due[flow] = due
    this.#queue.push(due, event(FLOW_ENDS, flow))
  }

  #newFlow(): number {
    const free = this.#free
    if (free !== NONE) {
      this.#free = this.#length[free]!
      return free
    }
    if (this.#flows === this.#token.length) this.#grow()
    return this.#flows++
  }

  #grow(): void {
    this.#token = twice(this.#token)
    this.#left = twice(this.#left)
    this.#rate = twice(this.#rate)
    this.#since = twice(this.#since)
    this.#due = twice(this.#due)
    this.#length = twice(this.#length)
    this.#fixed = twice(this.#fixed)
    this.#link = twice(this.#link)
    this.#next = twice(this.#next)
    this.#before = twice(this.#before)
  }
}
