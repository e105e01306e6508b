/**
 * The order of the messages of one sender, which do not overtake each other (MPI 4.1, section 3.5): what came
 * before something that was sent earlier is held back.
 */
export class ArrivalOrder {
  #admitted = 0
  /** What is held back, by number. */
  #early: Map<number, number> | undefined

  /** Whether all that was sent before message `number` has come; otherwise it is held back. */
  admits(number: number, flight: number): boolean {
    if (number === this.#admitted) {
      this.#admitted++
      return true
    }
    ;(this.#early ??= new Map()).set(number, flight)
    return false
  }

  /** The flight that was held back behind the one that came last, or -1. */
  next(): number {
    const held = this.#early?.get(this.#admitted)
    if (held === undefined) return -1
    this.#early!.delete(this.#admitted++)
    return held
  }
}
