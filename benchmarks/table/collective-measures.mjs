/** The rows of collectives of memory: each at a small and a large message, at 2 ranks and at 8. */
import { countText, sizeText } from './sizes.mjs'

const KIB = 1024
const MIB = 1024 * KIB

const bytesText = (bytes) => sizeText(bytes)
const bytesEach = (bytes) => `${sizeText(bytes)} a rank`
const doublesText = (bytes) => `${countText(bytes / 8)} float64`

/**
 * Bytes as OSU counts them: of a block where every rank has one, else of the whole vector. The
 * smallest vector that is scattered gives each of 8 ranks one element.
 */
const SIZES = [
  { name: 'allreduce', collective: 'allreduce', small: 8, large: 8 * MIB, text: doublesText },
  { name: 'bcast', collective: 'bcast', small: 8, large: MIB, text: bytesText },
  { name: 'allgather', collective: 'allgather', small: 8, large: 128 * KIB, text: bytesEach },
  { name: 'alltoall', collective: 'alltoall', small: 8, large: 128 * KIB, text: bytesEach },
  { name: 'reduce-scatter', collective: 'reduceScatter', small: 64, large: MIB, text: doublesText },
]

/** What the project asks of itself. */
const ASKED = { 'allreduce-large': { required: 1, aim: 0.5 } }

/** @type {readonly import('./measures.mjs').Measure[]} */
export const COLLECTIVE_MEASURES = SIZES.flatMap(({ small, large, ...what }) =>
  [2, 8].flatMap((ranks) => [
    measure({ ...what, ranks, bytes: small, size: 'small' }),
    measure({ ...what, ranks, bytes: large, size: 'large' }),
  ]),
)

function measure({ name, collective, ranks, bytes, size, text }) {
  const row = `${name}-${size}${ranks === 2 ? '' : `-${ranks}`}`
  const large = size === 'large'
  return {
    name: row,
    title: `${name} of ${text(bytes)}, ${ranks} ranks`,
    unit: large ? 'ms' : 'µs',
    scale: large ? 1e-3 : 1,
    better: 'lower',
    ranks,
    kind: 'program',
    program: 'coll',
    // More than can be done in the second that is given: time decides.
    args: [collective, '-m', `${bytes}:${bytes}`, '-x', '50000', '-i', '100000', '-s', '1'],
    column: 1,
    twins: ['openmpi', 'mpich'],
    ...ASKED[row],
  }
}
