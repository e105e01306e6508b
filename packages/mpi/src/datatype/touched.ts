import { bytesOf } from './kinds.js'
import type { Span } from './layout.js'
import type { ResolvedMemory } from './memory.js'

/** Elements of its buffer that memory reaches over, gaps included; counted from the buffer's start. */
export function spanOf({ data, kind, offset, layout, count, elements }: ResolvedMemory): Span {
  const base = data.byteOffset / bytesOf(kind) + offset
  const { first, end } = layout?.span(count) ?? { first: 0, end: elements }
  return { first: base + first, end: base + end }
}

/** From the first to the last element of several spans; empty ones do not count. */
export function spanOfAll(spans: readonly Span[]): Span {
  const some = spans.filter(({ first, end }) => end > first)
  return {
    first: some.reduce((least, { first }) => Math.min(least, first), Infinity),
    end: some.reduce((most, { end }) => Math.max(most, end), -Infinity),
  }
}

/** Who touches which elements of a part of a buffer: memories that interlock share none. */
export class TouchedElements {
  readonly #span: Span
  /** One more than the number of who touched an element first, and 0 where nobody has. */
  readonly #owners: Uint16Array

  constructor(span: Span) {
    this.#span = span
    this.#owners = new Uint16Array(Math.max(span.end - span.first, 0))
  }

  /**
   * Marks the elements of memory as touched by number `who`, up to the first that somebody else has
   * touched.
   *
   * @returns who that is, or -1
   */
  touch(memory: ResolvedMemory, who: number): number {
    const { data, kind, offset, layout, count, elements } = memory
    const base = data.byteOffset / bytesOf(kind) + offset
    if (layout === undefined) return this.#run(base, elements, who)
    const { strided, offsets, lengths } = layout.flat
    const runs = strided === undefined ? offsets.length : strided.count
    for (let item = 0; item < count; item++) {
      const at = base + item * layout.extent
      for (let run = 0; run < runs; run++) {
        const seen =
          strided === undefined
            ? this.#run(at + offsets[run]!, lengths[run]!, who)
            : this.#run(at + strided.offset + run * strided.stride, strided.blockLength, who)
        if (seen >= 0) return seen
      }
    }
    return -1
  }

  #run(first: number, length: number, who: number): number {
    const owners = this.#owners
    const from = Math.max(first - this.#span.first, 0)
    const to = Math.min(first + length - this.#span.first, owners.length)
    for (let i = from; i < to; i++) {
      const owner = owners[i]!
      if (owner !== 0 && owner !== who + 1) return owner - 1
      owners[i] = who + 1
    }
    return -1
  }
}
