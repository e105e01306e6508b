// Agreement without a lock: whoever comes first to a numbered call says what it is, all others compare.

/** How much later a call is than the one that is stored: nobody is 2^15 calls ahead of another. */
function age(number: i32, stored: u64): i32 {
  return (((number - <i32>(stored >> 48)) & 0xffff) << 16) >> 16
}

/**
 * Compares what is said of call `number` (modulo 2^16) with what was said first, in the word of 64
 * bits at `entry`, which belongs to every so many calls. `extra` (16 bits) and `facts` (32 bits, not
 * 0) are what is said.
 *
 * @returns 0 when it agrees, or later calls have taken the word; else 1
 */
export function agree(entry: usize, number: i32, extra: i32, facts: i32): i32 {
  const said =
    ((<u64>(number & 0xffff)) << 48) | ((<u64>(extra & 0xffff)) << 32) | (<u64>(<u32>facts))
  let stored = atomic.load<u64>(entry)
  // The first one here says it: compare and exchange, so that of several it is exactly one.
  while (stored == 0 || age(number, stored) > 0) {
    const found = atomic.cmpxchg<u64>(entry, stored, said)
    if (found == stored) return 0
    stored = found
  }
  return stored != said && age(number, stored) == 0 ? 1 : 0
}
