import { COLLECTIVE_MEASURES } from './collective-measures.mjs'

/**
 * The rows of the table: what is run, and what the project asks of itself.
 *
 * `required` and `aim` are factors of N, the better of the twins: at most for times, at least for
 * rates. Rows with `absolute` compare our figure itself. Rows without `required` only inform.
 *
 * @typedef {object} Measure
 * @property {string} name            for --only
 * @property {string} title
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {number} ranks
 * @property {'program' | 'memory' | 'launcher'} kind   what a run yields: a figure of the last line that a
 *                                     program prints, memory a rank, or the wall time of the whole process
 * @property {number} [column]        which figure of the line, from 0; the last by default
 * @property {string} program         osu/<program>.ts, native/<program>.c or .py
 * @property {readonly string[]} args
 * @property {readonly string[]} [mpichArgs]   fewer iterations where MPICH takes a time slice for each
 * @property {number} [scale]         printed figure times scale = figure in `unit`
 * @property {readonly ('openmpi' | 'mpich' | 'mpi4py')[]} twins
 * @property {boolean} [absolute]
 * @property {number} [required]
 * @property {number} [aim]
 */

const MPI = /** @type {const} */ (['openmpi', 'mpich'])

/**
 * OSU's arguments: one message size, warm-up and timed iterations. Both are larger than OSU's own, on
 * both sides: it takes V8 some 0.3 s to compile the hot path.
 */
const size = (bytes, warmup, iterations) => [
  '-m',
  `${bytes}:${bytes}`,
  ...counts(warmup, iterations),
]
const counts = (warmup, iterations) => ['-x', String(warmup), '-i', String(iterations)]

const KIB = 1024
const MIB = 1024 * KIB

/** @type {readonly Measure[]} */
export const MEASURES = [
  {
    name: 'latency-8',
    title: '8 B one-way latency',
    unit: 'µs',
    better: 'lower',
    ranks: 2,
    kind: 'program',
    program: 'latency',
    args: size(8, 100_000, 300_000),
    twins: MPI,
    required: 1.5,
    aim: 1,
  },
  {
    name: 'latency-32k',
    title: '32 KiB one-way latency',
    unit: 'µs',
    better: 'lower',
    ranks: 2,
    kind: 'program',
    program: 'latency',
    args: size(32 * KIB, 100_000, 100_000),
    twins: MPI,
    required: 0.5,
    aim: 0.2,
  },
  {
    name: 'bandwidth-2m',
    title: '2 MiB bandwidth, 64 slots',
    unit: 'GB/s',
    better: 'higher',
    ranks: 2,
    kind: 'program',
    program: 'bw',
    args: size(2 * MIB, 5, 20),
    scale: 1e-3,
    twins: MPI,
    required: 1.5,
    aim: 3,
  },
  {
    name: 'bibw-2m',
    title: '2 MiB bandwidth both ways, 64 slots',
    unit: 'GB/s',
    better: 'higher',
    ranks: 2,
    kind: 'program',
    program: 'bibw',
    args: size(2 * MIB, 5, 20),
    scale: 1e-3,
    twins: MPI,
  },
  {
    name: 'message-rate',
    title: 'message rate, 8 B, window of 64 in 64 slots',
    unit: 'M/s',
    better: 'higher',
    ranks: 2,
    kind: 'program',
    program: 'mbw-mr',
    args: size(8, 20_000, 20_000),
    scale: 1e-6,
    twins: MPI,
    required: 0.67,
    aim: 1,
  },
  {
    name: 'multi-lat',
    title: '8 B one-way latency, 2 pairs at once',
    unit: 'µs',
    better: 'lower',
    ranks: 4,
    kind: 'program',
    program: 'multi-lat',
    args: size(8, 20_000, 50_000),
    twins: MPI,
  },
  {
    name: 'barrier',
    title: 'barrier, 2 ranks',
    unit: 'µs',
    better: 'lower',
    ranks: 2,
    kind: 'program',
    program: 'barrier',
    args: counts(100_000, 300_000),
    twins: MPI,
    required: 1.5,
    aim: 1,
  },
  {
    name: 'allreduce',
    title: 'allreduce of one number, 2 ranks',
    unit: 'µs',
    better: 'lower',
    ranks: 2,
    kind: 'program',
    program: 'allreduce-number',
    args: counts(100_000, 300_000),
    twins: MPI,
    required: 1.5,
    aim: 1,
  },
  {
    name: 'barrier-8',
    title: 'barrier, 8 ranks',
    unit: 'µs',
    better: 'lower',
    ranks: 8,
    kind: 'program',
    program: 'barrier',
    args: counts(20_000, 40_000),
    mpichArgs: counts(10, 50),
    twins: MPI,
    required: 1,
    aim: 0.5,
  },
  {
    name: 'allreduce-8',
    title: 'allreduce of one number, 8 ranks',
    unit: 'µs',
    better: 'lower',
    ranks: 8,
    kind: 'program',
    program: 'allreduce-number',
    args: counts(20_000, 40_000),
    mpichArgs: counts(10, 50),
    twins: MPI,
    required: 1,
    aim: 0.5,
  },
  ...COLLECTIVE_MEASURES,
  {
    name: 'overlap',
    title: 'iallreduce of 128 Ki float64 hidden by computing, 10 tests, 2 ranks',
    unit: '%',
    better: 'higher',
    ranks: 2,
    kind: 'program',
    program: 'coll-overlap',
    args: ['allreduce', ...size(MIB, 20_000, 20_000), '-s', '2', '-t', '10'],
    twins: MPI,
  },
  {
    name: 'value',
    title: 'send and receive of a small object',
    unit: 'µs',
    better: 'lower',
    ranks: 2,
    kind: 'program',
    program: 'value-latency',
    args: counts(50_000, 50_000),
    twins: ['mpi4py'],
    required: 0.5,
    aim: 0.3,
  },
  {
    name: 'await',
    title: 'awaited 8 B one-way latency',
    unit: 'µs',
    better: 'lower',
    ranks: 2,
    kind: 'program',
    program: 'await-latency',
    args: size(8, 20_000, 50_000),
    twins: [],
    absolute: true,
    required: 5,
    aim: 2,
  },
  {
    name: 'launcher',
    title: 'hello with 4 ranks, whole process',
    unit: 'ms',
    better: 'lower',
    ranks: 4,
    kind: 'launcher',
    program: 'hello',
    args: [],
    twins: ['mpi4py'],
    required: 1,
    aim: 0.5,
  },
  {
    name: 'memory',
    title: 'memory a rank, (64 ranks − 1) / 63',
    unit: 'MB',
    better: 'lower',
    ranks: 64,
    kind: 'memory',
    program: 'memory',
    args: [],
    twins: [],
    absolute: true,
    required: 14,
    aim: 10,
  },
]
