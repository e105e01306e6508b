// Sorting by counting, with nothing about messages in it. A bucket is a range of keys: those that
// agree in all but their `shift` lowest bits.

/** Counts the keys of every bucket. */
export function countByBucket(keys: Int32Array, shift: number, sizes: Int32Array): void {
  sizes.fill(0)
  for (let index = 0; index < keys.length; index++) sizes[keys[index] >> shift]++
}

/** Copies the keys to `sorted`, bucket by bucket; `starts` says where each bucket begins. */
export function sortByBucket(
  keys: Int32Array,
  shift: number,
  starts: Int32Array,
  sorted: Int32Array,
): void {
  const next = starts.slice()
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]
    sorted[next[key >> shift]++] = key
  }
}

/**
 * Deals whole buckets out to ranks: a bucket goes to the rank in whose fair share of all keys its
 * first key falls. Rank r gets the buckets from element r of the result to before element r + 1.
 */
export function dealOut(starts: Int32Array, ranks: number): Int32Array {
  const buckets = starts.length - 1
  const keys = starts[buckets]
  const firstBuckets = new Int32Array(ranks + 1)
  let bucket = 0
  for (let rank = 1; rank <= ranks; rank++) {
    while (bucket < buckets && starts[bucket] * ranks < rank * keys) bucket++
    firstBuckets[rank] = bucket
  }
  return firstBuckets
}

/** Element i of the result is the sum of all sizes before the i-th; the last is the sum of all. */
export function startsOf(sizes: Int32Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1)
  for (let index = 0; index < sizes.length; index++)
    starts[index + 1] = starts[index] + sizes[index]
  return starts
}
