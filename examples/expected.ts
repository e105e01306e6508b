// What each example prints, for any number of ranks and on every carrier that it is written for.
// Notation as in transcript.ts. The READMEs show one run of each; those are checked as well.

export type Carrier = 'threads' | 'serial' | 'in-process'

export type Expectation = {
  program: string
  ranks: readonly number[]
  carriers: readonly Carrier[]
  output: (ranks: number) => string
  anyOrder?: boolean
}

const anyNumber = [1, 2, 3, 4, 7]
const threads: readonly Carrier[] = ['threads', 'serial']
/** For programs that use i-forms only. */
const everywhere: readonly Carrier[] = ['threads', 'serial', 'in-process']

/** How the benchmarks of `npb` end. */
const verified = '⋮\nverification: successful\n… s, … Mop/s'

export const expectations: readonly Expectation[] = [
  {
    program: 'tour.ts',
    ranks: [2, 3, 4, 7],
    carriers: threads,
    anyOrder: true,
    output: (ranks) =>
      forEachRank(ranks, (rank) => `rank ${rank} squared is ${rank ** 2}`)
        .replace('rank 0 squared is 0\n', '')
        .concat(`\neach rank got 500 numbers; the sum over all ranks is ${ranks * (ranks - 1)}`),
  },
  {
    program: '01-hello/hello.ts',
    ranks: anyNumber,
    carriers: everywhere,
    anyOrder: true,
    output: (ranks) => forEachRank(ranks, (rank) => `Hello from rank ${rank} of ${ranks}`),
  },
  {
    program: '02-ring/ring.ts',
    ranks: anyNumber,
    carriers: everywhere,
    anyOrder: true,
    output: (ranks) =>
      forEachRank(
        ranks,
        (rank) => `rank ${rank}: the sum of all ranks is ${(ranks * (ranks - 1)) / 2}`,
      ),
  },
  {
    program: '03-ping-pong/ping-pong.ts',
    ranks: anyNumber,
    carriers: threads,
    anyOrder: true,
    output: (ranks) =>
      ranks === 1
        ? 'ping-pong takes two ranks: mpiexec -n 2 ping-pong.ts'
        : [0, 1, 2, 3, 4, 5]
            .map((ball) => `rank ${1 - (ball % 2)} got ball ${ball}`)
            .concat('one way takes … µs')
            .join('\n'),
  },
  {
    program: '04-pi/pi.ts',
    ranks: anyNumber,
    carriers: everywhere,
    output: () => `    10 strips: pi = 3.1424259850, error 8.3e-4
   100 strips: pi = 3.1416009869, error 8.3e-6
  1000 strips: pi = 3.1415927369, error 8.3e-8
 10000 strips: pi = 3.1415926544, error 8.3e-10`,
  },
  {
    program: '05-values-and-memory/values-and-memory.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) =>
      ranks === 1
        ? 'this example takes two ranks: mpiexec -n 2 values-and-memory.ts'
        : `a value: 5 visits to Jena since 2026
a typed array: Float32Array 0.5 1.5 2.5
memory: 12 elements in 96 bytes, sent with tag 3
a column: 2 6 10
a box: 5 6 9 10`,
  },
  {
    program: '06-heat-2d/heat.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `Heat spreads over a plate of 240 x 456 cells, in pieces:
${ranks === 4 ? '2 x 2' : `1 x ${ranks}`} ranks compute 400 steps together.

step 100: no cell changes by more than 0.479 degrees
step 200: no cell changes by more than 0.259 degrees
step 300: no cell changes by more than 0.180 degrees
step 400: no cell changes by more than 0.132 degrees
⋮
${ranks} ranks took … s, a serial run … s.
PASS: all 109440 cells equal those of the serial run, bit for bit.`,
  },
  {
    program: '07-mandelbrot/mandelbrot.ts',
    ranks: anyNumber,
    carriers: everywhere,
    output: (ranks) =>
      ranks === 1
        ? 'alone: the master computes every row (try mpiexec -n 4)\n⋮'
        : `⋮
rows computed by ranks 1 to ${ranks - 1}: …
PASS: the image equals that of a serial run`,
  },
  {
    program: '08-n-body/n-body.ts',
    ranks: anyNumber,
    carriers: everywhere,
    output: (ranks) => `96 bodies, 100 steps, ${ranks} ranks
energy -0.549742, relative drift 3.2e-6
largest difference to a serial run …
PASS: the bodies are where a serial run puts them, and energy is kept`,
  },
  {
    program: '09-collectives/collectives.ts',
    ranks: anyNumber,
    carriers: threads,
    output: () => `⋮
PASS: 38 pictures are as they should be,
and nobody left the barrier before everybody had come`,
  },
  {
    program: '10-summa/summa.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `A (300 x 200) times B (200 x 360)
on a grid of ${ranks === 4 ? '2 x 2' : `${ranks} x 1`} ranks in … steps
⋮
PASS: all 108000 entries of C equal those of a sequential product`,
  },
  {
    program: '11-sample-sort/sample-sort.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `100000 keys on ${ranks} ranks
⋮
the largest share is 1.0… times the average
PASS: 100000 keys from 0.0053 to 0.9895 in order`,
  },
  {
    program: '12-conjugate-gradient/conjugate-gradient.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `80 x 80 points, rows shared by ${ranks} ranks
⋮
… 255 iterations
⋮
PASS: A u and f differ by less than 2e-8 of f`,
  },
  {
    program: '13-fft/fft.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `an image of 128 x 128 points, rows shared by ${ranks} ranks
⋮
strongest wave: 3 crests down, 5 across, ±0.50
PASS: the transform is that of the definition, and the way back leads back`,
  },
  {
    program: '14-training/training.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `160 points on ${ranks} ranks, 205 parameters
⋮
loss 0.698 at first, 0.0060 at last
largest difference to the parameters of one rank alone: …
PASS: the same parameters on all ranks and on one alone; all points told apart`,
  },
  {
    program: 'own-algorithm/use.ts',
    ranks: anyNumber,
    carriers: everywhere,
    output(ranks) {
      const letters = 'abcdefg'.slice(0, ranks)
      const pairs = Array.from(letters, (_, rank) => `${rank} ${rank ** 2}`).join(' ')
      return `Sparbit gathers ${[...letters].join(' ')}, and ${pairs}\nallgather and fold makes ${letters}`
    },
  },
  {
    program: 'npb/ep/ep.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `EP class S: 2^24 pairs, ${ranks} ranks\n${verified}`,
  },
  {
    program: 'npb/is/is.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `IS class S: 65536 keys below 2048, ${ranks} ranks\n${verified}`,
  },
  {
    program: 'npb/cg/cg.ts',
    ranks: anyNumber,
    carriers: threads,
    output: (ranks) => `CG class S: 1400 rows, ${ranks} ranks\n${verified}`,
  },
]

function forEachRank(ranks: number, line: (rank: number) => string): string {
  return Array.from({ length: ranks }, (_, rank) => line(rank)).join('\n')
}
