/** A measured size, and the half round trip that was measured for it. */
export interface Knot {
  readonly bytes: number
  readonly ns: number
}

/** Linear interpolation between knots; before the first its value, after the last its last slope. */
export class SizeTable {
  readonly #bytes: Float64Array
  readonly #ns: Float64Array

  /** @throws RangeError when there are no knots, or sizes do not grow from knot to knot */
  constructor(knots: readonly Knot[]) {
    if (knots.length === 0) throw new RangeError('a table of sizes needs a line')
    knots.forEach(({ bytes, ns }, i) => {
      const before = knots[i - 1]?.bytes ?? -1
      if (!(bytes > before && ns >= 0 && Number.isFinite(ns))) {
        throw new RangeError(`sizes must grow and times be from 0: ${bytes} bytes, ${ns} ns`)
      }
    })
    this.#bytes = Float64Array.from(knots, ({ bytes }) => bytes)
    this.#ns = Float64Array.from(knots, ({ ns }) => ns)
  }

  at(bytes: number): number {
    const sizes = this.#bytes
    const last = sizes.length - 1
    if (bytes <= sizes[0]!) return this.#ns[0]!
    if (last === 0) return this.#ns[0]!
    let i = 1
    while (i < last && sizes[i]! < bytes) i++
    const share = (bytes - sizes[i - 1]!) / (sizes[i]! - sizes[i - 1]!)
    return this.#ns[i - 1]! + share * (this.#ns[i]! - this.#ns[i - 1]!)
  }

  /** Of the last two knots, in ns per byte. */
  get lastSlope(): number {
    const last = this.#bytes.length - 1
    if (last === 0) return 0
    return (this.#ns[last]! - this.#ns[last - 1]!) / (this.#bytes[last]! - this.#bytes[last - 1]!)
  }
}
