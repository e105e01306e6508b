/**
 * A doorbell: how one thread tells another that there is work, without paying for a sleeper that is not there.
 *
 * | word | at | written by | meaning |
 * | --- | --- | --- | --- |
 * | count | +0 | whoever rings | rings so far, wraps |
 * | asleep | +4 | the owner | not 0 while the owner sleeps, or is about to |
 *
 * Ordering: a notifier publishes its work and then loads `asleep`; the owner stores `asleep`, then
 * looks for work once more, then sleeps on the `count` it read before that look. Atomics are
 * sequentially consistent, so one of the two sees the other: either the notifier finds the mark and
 * rings, or the owner finds the work. A ring between the look and the sleep changes `count`, and
 * `Atomics.wait` returns at once.
 */

/** Bytes of a doorbell; it gets a cache line of its own so that polling it disturbs nobody. */
export const DOORBELL_BYTES = 64

/** Tells the owner of the doorbell at `address` about work that has been published already. */
export function ringDoorbell(i32: Int32Array, address: number): void {
  // Load after the caller's publishing store: the order that the argument above needs.
  if (Atomics.load(i32, (address >>> 2) + 1) !== 0) wakeOwner(i32, address)
}

/** Rings whether or not the owner sleeps; a needless notify costs about half a microsecond. */
export function wakeOwner(i32: Int32Array, address: number): void {
  Atomics.add(i32, address >>> 2, 1) // before the notify, so that a wait about to begin returns
  Atomics.notify(i32, address >>> 2)
}

/** Rings so far, to be read before the owner's last look for work. */
export function doorbellCount(i32: Int32Array, address: number): number {
  return Atomics.load(i32, address >>> 2) // an atomic read: rings come from other threads
}

/** Sets the owner's mark; from here on every notifier rings. */
export function markAsleep(i32: Int32Array, address: number): void {
  Atomics.store(i32, (address >>> 2) + 1, 1) // before the last look for work
}

/** Takes the owner's mark away; notifiers publish and go on. */
export function markAwake(i32: Int32Array, address: number): void {
  Atomics.store(i32, (address >>> 2) + 1, 0) // from here on the owner polls
}

/**
 * Sleeps until the doorbell has been rung since `count` was read, or until the time is over.
 *
 * @param timeoutMs milliseconds, `Infinity` for no limit
 * @returns whether it was rung
 */
export function sleepOnDoorbell(
  i32: Int32Array,
  address: number,
  count: number,
  timeoutMs: number,
): boolean {
  return Atomics.wait(i32, address >>> 2, count, timeoutMs) !== 'timed-out'
}
