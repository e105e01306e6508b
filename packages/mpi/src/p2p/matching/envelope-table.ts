import type { Queued } from './queued.js'

const CHAINS_MIN = 16

/** The items of one envelope, oldest first. */
class Bucket<T extends Queued> {
  context = 0
  source = 0
  tag = 0
  first: T | undefined
  last: T | undefined
  chained: Bucket<T> | undefined
}

/**
 * First-in-first-out queues by exact envelope (context, source, tag): a chained hash table whose
 * last bucket is remembered, because messages come in streams. Every operation is O(1).
 */
export class EnvelopeTable<T extends Queued> {
  /** Empty until something is appended: most tables of a large world stay so. */
  #chains: (Bucket<T> | undefined)[] = []
  #buckets = 0
  #recent: Bucket<T> | undefined

  /** The oldest item of this envelope. */
  first(context: number, source: number, tag: number): T | undefined {
    const bucket = this.#find(context, source, tag)
    return bucket === undefined ? undefined : bucket.first
  }

  /** Takes the oldest item of this envelope out. */
  takeFirst(context: number, source: number, tag: number): T | undefined {
    const bucket = this.#find(context, source, tag)
    if (bucket === undefined) return undefined
    const first = bucket.first
    if (first === undefined) return undefined
    const next = first.next as T | undefined
    bucket.first = next
    if (next === undefined) bucket.last = undefined
    else next.previous = undefined
    first.next = undefined
    return first
  }

  append(item: T): void {
    const bucket =
      this.#find(item.context, item.source, item.tag) ??
      this.#add(item.context, item.source, item.tag)
    const last = bucket.last
    item.previous = last
    item.next = undefined
    if (last === undefined) bucket.first = item
    else last.next = item
    bucket.last = item
  }

  remove(item: T): void {
    const bucket = this.#find(item.context, item.source, item.tag)!
    const { previous, next } = item
    if (previous === undefined) bucket.first = next as T | undefined
    else previous.next = next
    if (next === undefined) bucket.last = previous as T | undefined
    else next.previous = previous
    item.previous = undefined
    item.next = undefined
  }

  /** All items, in no particular order. */
  *[Symbol.iterator](): Iterator<T> {
    for (let bucket of this.#chains) {
      for (; bucket !== undefined; bucket = bucket.chained) {
        for (let item = bucket.first; item !== undefined; item = item.next as T | undefined)
          yield item
      }
    }
  }

  #find(context: number, source: number, tag: number): Bucket<T> | undefined {
    const recent = this.#recent
    if (
      recent !== undefined &&
      recent.tag === tag &&
      recent.source === source &&
      recent.context === context
    ) {
      return recent
    }
    return this.#search(context, source, tag)
  }

  #search(context: number, source: number, tag: number): Bucket<T> | undefined {
    if (this.#buckets === 0) return undefined
    let bucket = this.#chains[hash(context, source, tag) & (this.#chains.length - 1)]
    while (bucket !== undefined) {
      if (bucket.tag === tag && bucket.source === source && bucket.context === context) {
        this.#recent = bucket
        return bucket
      }
      bucket = bucket.chained
    }
    return undefined
  }

  #add(context: number, source: number, tag: number): Bucket<T> {
    if (this.#buckets >= this.#chains.length) this.#rebuild()
    const bucket = new Bucket<T>()
    bucket.context = context
    bucket.source = source
    bucket.tag = tag
    this.#chain(bucket)
    this.#recent = bucket
    return bucket
  }

  #chain(bucket: Bucket<T>): void {
    const index = hash(bucket.context, bucket.source, bucket.tag) & (this.#chains.length - 1)
    bucket.chained = this.#chains[index]
    this.#chains[index] = bucket
    this.#buckets++
  }

  /** Empty buckets stay until here, since their envelopes tend to come back; then they go. */
  #rebuild(): void {
    const live: Bucket<T>[] = []
    for (let bucket of this.#chains) {
      for (; bucket !== undefined; bucket = bucket.chained) {
        if (bucket.first !== undefined) live.push(bucket)
      }
    }
    let length = CHAINS_MIN
    while (length < live.length * 2) length *= 2
    this.#chains = new Array<Bucket<T> | undefined>(length).fill(undefined)
    this.#buckets = 0
    this.#recent = undefined
    for (const bucket of live) this.#chain(bucket)
  }
}

function hash(context: number, source: number, tag: number): number {
  let mixed =
    Math.imul(context, 0x9e3779b1) ^ Math.imul(source, 0x85ebca6b) ^ Math.imul(tag, 0xc2b2ae35)
  mixed ^= mixed >>> 15
  return Math.imul(mixed, 0x2c1b3c6d) >>> 8
}
