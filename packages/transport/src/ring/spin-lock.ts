/**
 * A lock of one word for sections of some tens of instructions on slow paths: 0 free, 1 held.
 *
 * Ordering: whoever takes the lock has exchanged 0 for 1 after the holder before stored 0; both are
 * sequentially consistent, so all that the holder before wrote is seen, plain writes included. A
 * thread that is terminated inside leaves it held, and its world has ended by then.
 */

const SPINS = 200
const NAP_MS = 0.05

/** Returns with the lock held. */
export function lock(i32: Int32Array, address: number): void {
  const index = address >>> 2
  while (Atomics.compareExchange(i32, index, 0, 1) !== 0) awaitFree(i32, index) // take it, or look on
}

/** The caller holds the lock. */
export function unlock(i32: Int32Array, address: number): void {
  Atomics.store(i32, address >>> 2, 0) // publishes all that was written under the lock
}

function awaitFree(i32: Int32Array, index: number): void {
  for (let spin = 0; spin < SPINS; spin++) {
    if (Atomics.load(i32, index) === 0) return // a load keeps the line shared; the exchange would not
  }
  // The holder may wait for this core; nobody notifies, the nap ends by itself.
  Atomics.wait(i32, index, 1, NAP_MS)
}
