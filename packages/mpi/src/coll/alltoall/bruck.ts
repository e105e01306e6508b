import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, TMP } from '../plan/buffer.js'
import { digitCount, digitRuns } from '../pattern/digit-runs.js'
import type { Range } from '../pattern/halving.js'
import { ceilLog } from '../pattern/logarithm.js'

/**
 * A block that has to go a distance upwards goes there digit by digit: in round j all blocks whose
 * distance has the digit d at place j go d radix^j up, packed into one message. On every rank a
 * block of distance i lies in block `rank - i` of the output, where it belongs in the end.
 *
 * ```
 *   p = 5     round 0: r -> r + 1     round 1: r -> r + 2     round 2: r -> r + 4      (modulo 5)
 *             distances 1, 3          distances 2, 3          distance 4
 * ```
 */
export const bruck: Algorithm = defineCollective({
  collective: 'alltoall',
  name: 'bruck',
  title: 'Bruck',
  source:
    'Bruck, Ho, Kipnis, Upfal, Weathersby 1997; without rotations: Träff, Rougier, Hunold 2014',
  use: 'very short blocks on many ranks',
  cost: 'ceil(log_k p) rounds of k - 1 messages, about (k - 1)/k p b each',
  needs: { equalBlocks: true },
  radix: 2,
  // What is packed, and behind it what is to be unpacked. A rank's own block never is.
  scratch: ({ size }) => Array.from({ length: 2 * (size - 1) }, () => 0),
  rounds: ({ size, radix }) => Math.max(1, ceilLog(size, radix)),
  volume({ size, radix }) {
    let blocks = 0
    for (let step = 1; step < size; step *= radix) {
      for (let digit = 1; digit < radix; digit++) blocks += digitCount(size, step, radix, digit)
    }
    return blocks
  },
  round(k, { size, rank, radix }, emit) {
    if (k === 0) {
      for (let i = 0; i < size; i++) emit.copy(IN, rank + i, OUT, rank + size - i)
    }
    const step = radix ** k
    const lowestOf = ({ first, count }: Range): number => rank + size - (first + count - 1)
    let packed = 0
    for (let digit = 1; digit < radix && digit * step < size; digit++) {
      const count = digitCount(size, step, radix, digit)
      const start = packed
      emit.receive((rank + size - digit * step) % size, TMP, size - 1 + start, count)
      for (const run of digitRuns(size, step, radix, digit)) {
        emit.copy(OUT, lowestOf(run), TMP, packed, run.count)
        packed += run.count
      }
      emit.send((rank + digit * step) % size, TMP, start, count)
    }
    let unpacked = 0
    for (let digit = 1; digit < radix && digit * step < size; digit++) {
      for (const run of digitRuns(size, step, radix, digit)) {
        emit.copy(TMP, size - 1 + unpacked, OUT, lowestOf(run), run.count)
        unpacked += run.count
      }
    }
  },
})
