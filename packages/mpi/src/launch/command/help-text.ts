import { OPTIONS, spelling, type OptionEntry } from './option-table.js'

const TOPICS: Readonly<Record<OptionEntry['topic'], string>> = {
  ranks: 'Ranks',
  output: 'Output',
  fabric: 'Simulated fabric',
  limits: 'Limits (SIZE: 65536, 64KiB, 512MiB, 4GiB)',
  collectives: 'Collectives',
  order: 'Order and replay',
  checks: 'Checks',
  about: 'About',
}

const FIRST_PROGRAM = `\
Write hello.ts:

  import { SUM, type Mpi } from '@commworld/mpi'

  export default function main({ world }: Mpi) {
    const { rank, size } = world
    console.log(\`hello from rank \${rank} of \${size}\`)
    if (rank === 0) world.send({ greeting: 'hi' }, { dest: size - 1 })
    if (rank === size - 1) console.log(world.recv({ source: 0 }))
    const sum = world.allreduce(rank, SUM)
    if (rank === 0) console.log(\`the ranks add up to \${sum}\`)
  }

and run it on four ranks:

  npx mpiexec -n 4 hello.ts`

const STATUSES = `\
Exit status: 0 all well, 1 an error in the program, 2 a diagnosed error such as a deadlock,
3 a hazard under --strict, 4 an internal error, 124 --timeout, 130 and 143 signals;
otherwise what abort(code) or process.exit(code) of a rank said.`

/** The text of `mpiexec --help`. */
export function helpText(): string {
  const topics = (Object.keys(TOPICS) as OptionEntry['topic'][]).map(
    (topic) => `${TOPICS[topic]}:\n${optionLines(topic).join('\n')}`,
  )
  return [
    'mpiexec runs an MPI program written in TypeScript or JavaScript, one thread per rank.',
    'Usage: mpiexec [options] program.ts [arguments]\n' +
      '       mpiexec -n 1 master.ts : -n 3 worker.ts     several programs in one world\n' +
      '       mpiexec explain DL01                        what a report means\n' +
      '       mpiexec explore -n 4 program.ts             many schedules of it, and how each failure comes about\n' +
      '       mpiexec simulate allreduce -n 1024          a collective on a simulated cluster\n' +
      '       mpiexec replay run.goal --fabric b.yaml     a recorded run, or a trace, on another one\n' +
      '       mpiexec compare a.yaml b.yaml -- -n 64 program.ts      two clusters side by side',
    FIRST_PROGRAM,
    ...topics,
    STATUSES,
  ].join('\n\n')
}

function optionLines(topic: OptionEntry['topic']): string[] {
  return (OPTIONS as readonly OptionEntry[])
    .filter((option) => option.topic === topic)
    .map(({ name, short, value, topicValue, help }) => {
      const spellings = short && short !== name ? `-${short}, ${spelling(name)}` : spelling(name)
      const shown = value ?? (topicValue === undefined ? undefined : `[${topicValue}]`)
      return `  ${(shown ? `${spellings} ${shown}` : spellings).padEnd(21)} ${help}`
    })
}
