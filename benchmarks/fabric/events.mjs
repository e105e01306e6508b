// Events a second of the simulated fabric's queue beside a bare heap, by the hold model: with n events
// waiting, take the next one and put in another at a later time. `lockstep` draws delays from eight
// values, as ranks of a collective do, `random` from 2^20.
//
// Usage: node benchmarks/fabric/events.mjs [operations]

import { EventQueue } from '@commworld/transport/simulated'

const OPERATIONS = Number(process.argv[2] ?? 2_000_000)

/** A heap of four-fold branching, ordered by time and sequence, one entry an event. */
class BareHeap {
  constructor(capacity) {
    this.time = new Float64Array(capacity)
    this.sequence = new Float64Array(capacity)
    this.what = new Int32Array(capacity)
    this.size = 0
    this.pushes = 0
    this.now = 0
  }

  push(time, what) {
    let hole = this.size++
    const sequence = this.pushes++
    while (hole > 0) {
      const parent = (hole - 1) >> 2
      if (this.time[parent] <= time) break
      this.#move(parent, hole)
      hole = parent
    }
    this.#put(hole, time, sequence, what)
  }

  pop() {
    const what = this.what[0]
    this.now = this.time[0]
    const length = --this.size
    const time = this.time[length]
    const sequence = this.sequence[length]
    let hole = 0
    for (let child = 1; child < length; child = 4 * hole + 1) {
      let least = child
      const end = Math.min(child + 4, length)
      for (let other = child + 1; other < end; other++)
        if (this.#before(other, least)) least = other
      const leastTime = this.time[least]
      if (leastTime > time || (leastTime === time && this.sequence[least] > sequence)) break
      this.#move(least, hole)
      hole = least
    }
    this.#put(hole, time, sequence, this.what[length])
    return what
  }

  #before(a, b) {
    return (
      this.time[a] < this.time[b] ||
      (this.time[a] === this.time[b] && this.sequence[a] < this.sequence[b])
    )
  }

  #move(from, to) {
    this.time[to] = this.time[from]
    this.sequence[to] = this.sequence[from]
    this.what[to] = this.what[from]
  }

  #put(at, time, sequence, what) {
    this.time[at] = time
    this.sequence[at] = sequence
    this.what[at] = what
  }
}

function hold(queue, waiting, spread) {
  let state = 1
  const delay = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return 1000 + ((state >>> 8) % spread) * 1000
  }
  for (let i = 0; i < waiting; i++) queue.push(delay(), i)
  const start = performance.now()
  for (let i = 0; i < OPERATIONS; i++) queue.push(queue.now + delay(), queue.pop())
  return OPERATIONS / (performance.now() - start) / 1000
}

console.log('million hold operations a second')
console.log('delays     waiting   bare heap   EventQueue')
for (const [name, spread] of [
  ['lockstep', 8],
  ['random', 2 ** 20],
]) {
  for (const waiting of [1000, 10_000, 100_000, 1_000_000]) {
    const heap = hold(new BareHeap(waiting + 2), waiting, spread)
    const queue = hold(new EventQueue(), waiting, spread)
    const cells = [String(waiting).padStart(9), heap.toFixed(2).padStart(11)]
    console.log(`${name.padEnd(9)} ${cells.join(' ')} ${queue.toFixed(2).padStart(12)}`)
  }
}
