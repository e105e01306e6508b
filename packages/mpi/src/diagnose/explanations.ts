import type { ReportCode } from './report.js'

/** The page of one code: the smallest wrong program, why MPI behaves so, and the program put right. */
export interface Explanation {
  title: string
  /** A whole program, started with `ranks`. */
  wrong: string
  ranks: number
  why: string
  right: string
}

/** One page for each code. Programs are whole; lines stay within 96 columns. */
export const EXPLANATIONS: Readonly<Record<ReportCode, Explanation>> = {
  DL01: {
    title: 'deadlock: ranks wait for each other',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  const other = 1 - world.rank
  const theirs = world.recv({ source: other })
  world.send(world.rank, { dest: other })
}`,
    why: `
A plain recv returns when its message is there. Here both ranks receive first, so neither gets
to the send that the other one waits for. No time-out is involved in finding this: a rank that
waits can only be freed by the ranks it waits for, and none of them can move.

The same happens when the message exists but does not match: source, tag and communicator must
all agree. The report names the near miss when only one of them differs.`,
    right: `
export default function main({ world }: Mpi) {
  const other = 1 - world.rank
  const theirs = world.sendrecv(world.rank, { dest: other, source: other })
}`,
  },
  DL02: {
    title: 'a rank waits for one that has ended',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  const rounds = world.rank === 0 ? 2 : 3
  for (let round = 0; round < rounds; round++) {
    if (world.rank === 0) world.send(round, { dest: 1 })
    else world.recv({ source: 0 })
  }
}`,
    why: `
Every receive needs a send of its own, and a collective needs every rank of its communicator.
Rank 0 has left main() after two rounds; what rank 1 asks for in the third will never be sent.
Usual causes: an early return, a loop that runs a different number of times, a condition on the
rank around a collective.`,
    right: `
export default function main({ world }: Mpi) {
  for (let round = 0; round < 3; round++) {
    if (world.rank === 0) world.send(round, { dest: 1 })
    else world.recv({ source: 0 })
  }
}`,
  },
  TS01: {
    title: 'a request that nobody waited on',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  const answer = new Int32Array(1)
  if (world.rank === 0) world.send(Int32Array.of(42), { dest: 1 })
  else world.irecvInto(answer, { source: 0 })
  console.log(answer[0])
}`,
    why: `
An i-form only starts an operation. Until wait() returns, or the await does, its memory belongs
to the operation: reading it too early gives old numbers, changing it too early sends new ones.
An error would be lost as well. That a small message happens to be through already depends on
its size and on the moment.`,
    right: `
export default function main({ world }: Mpi) {
  const answer = new Int32Array(1)
  if (world.rank === 0) world.send(Int32Array.of(42), { dest: 1 })
  else world.irecvInto(answer, { source: 0 }).wait()
  console.log(answer[0])
}`,
  },
  TS02: {
    title: 'an await that nothing can settle',
    ranks: 1,
    wrong: `
export default async function main({ world }: Mpi) {
  await new Promise(() => {})
  console.log(world.rank)
}`,
    why: `
The event loop of the rank has nothing left to do: no timer, no file, no request of MPI. So the
promise that main() awaits can never be settled. Node would end such a thread without a word and
with status 0, in the middle of the program.`,
    right: `
export default async function main({ world }: Mpi) {
  await new Promise((resolve) => setTimeout(resolve, 10))
  console.log(world.rank)
}`,
  },
  TS03: {
    title: 'a loop that polls and lets nobody else run',
    ranks: 2,
    wrong: `
export default async function main({ world }: Mpi) {
  if (world.rank === 1) await world.isend(1, { dest: 0 })
  if (world.rank === 0) {
    const request = world.irecv({ source: 1 })
    while (!request.test());
  }
}`,
    why: `
With --in-process all ranks share one thread, and JavaScript runs one thing at a time: while this
loop spins, the rank that would send cannot run, so test() can never say yes. On threads of their
own the ranks run side by side and the same loop ends, at the price of a busy processor.`,
    right: `
export default async function main({ world }: Mpi) {
  if (world.rank === 1) await world.isend(1, { dest: 0 })
  if (world.rank === 0) await world.irecv({ source: 1 })
}`,
  },
  MS01: {
    title: 'a message that nobody received',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) {
    world.send('work', { dest: 1 })
    world.send('stop', { dest: 1 })
  } else {
    world.recv({ source: 0 })
  }
}`,
    why: `
Every message that is sent must be received before its receiver ends (MPI 4.1, section 11.2.2).
A small message is buffered, so the sender did not notice; a large one would have waited for its
receiver for ever.`,
    right: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) {
    world.send('work', { dest: 1 })
    world.send('stop', { dest: 1 })
  } else {
    while (world.recv({ source: 0 }) !== 'stop');
  }
}`,
  },
  RQ01: {
    title: 'a request that failed, and nobody looked',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) world.send(new Float64Array(10), { dest: 1 })
  else world.irecvInto(new Float64Array(4), { source: 0 })
  world.barrier()
}`,
    why: `
The error of an i-form is thrown where its request is waited on or awaited. Here ten numbers came
for room of four; without a wait the program goes on with an array that was never filled.`,
    right: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) world.send(new Float64Array(10), { dest: 1 })
  else world.irecvInto(new Float64Array(10), { source: 0 }).wait()
  world.barrier()
}`,
  },
  CL02: {
    title: 'ranks call different collectives, or one with different arguments',
    ranks: 3,
    wrong: `
import { SUM, type Mpi } from '@commworld/mpi'

export default function main({ world }: Mpi) {
  const sums = new Float64Array(4)
  if (world.rank < 2) world.bcastInto(sums)
  else world.reduceInto(sums.slice(), sums, SUM)
}`,
    why: `
All ranks of a communicator call the same collectives in the same order, with the same root, the
same reduction, and as many elements of one kind (MPI 4.1, chapter 6). Nothing tells one
collective from another but this order: the seventh call of one rank meets the seventh of all
others. Calls are compared before anything moves, and the table shows what each rank called; the
line that is not like most is marked. Usual causes: a condition on the rank around a collective,
a root that is left out on some ranks, a count that depends on the rank (the v-forms take counts
that differ).

Blocking, non-blocking and persistent calls do not match each other, nor do values match memory.
May differ: where memory lies, IN_PLACE, the kind of a value, how long the blocks of v-forms are.`,
    right: `
import { SUM, type Mpi } from '@commworld/mpi'

export default function main({ world }: Mpi) {
  const sums = new Float64Array(4)
  world.bcastInto(sums)
  world.reduceInto(sums.slice(), sums, SUM)
}`,
  },
  ER01: {
    title: 'a rank threw',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  const settings = world.rank === 0 ? JSON.parse('{ "steps": 10, }') : undefined
  world.bcast(settings)
}`,
    why: `
An error that main() does not catch ends the whole job: the other ranks wait for messages that
will not come. The rank that failed first is named with its stack; the others are listed with
what they were waiting for, which is a consequence and not a cause.`,
    right: `
export default function main({ world }: Mpi) {
  const settings = world.rank === 0 ? JSON.parse('{ "steps": 10 }') : undefined
  world.bcast(settings)
}`,
  },
  ER02: {
    title: 'the thread of a rank ended before main() returned',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) process.exit(0)
  world.barrier()
}`,
    why: `
process.exit ends the thread of one rank only in the middle of its work; so does a heap that is
full (--heap gives more). Nothing of what the rank owed to the others can be done any more, so
the job ends. Return from main() to finish a rank, abort(code) to end all of them at once.`,
    right: `
export default function main({ world }: Mpi) {
  world.barrier()
}`,
  },
  AB01: {
    title: 'the program called abort',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  if (world.size !== 4) world.abort(3)
}`,
    why: `
abort(code) ends all ranks at once, whatever they are doing, and code becomes the exit status of
mpiexec. It is meant for a state in which going on makes no sense. A wrong number of ranks is
better said in words: throw an error.`,
    right: `
export default function main({ world }: Mpi) {
  if (world.size !== 4) throw new Error('this program needs 4 ranks: mpiexec -n 4')
}`,
  },
  AB02: {
    title: 'ended from outside',
    ranks: 1,
    wrong: `
export default function main() {
  for (;;);
}`,
    why: `
The time limit (--timeout) was over, or a signal came. A computation is never taken for an error,
however long it lasts; so a loop without an end is not found by itself. The report lists what
every rank was doing.`,
    right: `
export default function main() {
  for (let step = 0; step < 1000; step++);
}`,
  },
  BF01: {
    title: 'a send that only buffering saves',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  const other = 1 - world.rank
  world.send(world.rank, { dest: other })
  const theirs = world.recv({ source: other })
}`,
    why: `
A standard send may return before its message is received, or not (MPI 4.1, section 3.4): that
depends on size, memory and library. Both ranks send first. While the message is small it is
buffered and all is well; a larger one waits for its receive, and the ranks wait for each other.
After a run that ended well, Commworld walks through what each rank did once more as if nothing
were buffered, and reports where that sticks. --eager-limit 0 shows it for real.`,
    right: `
export default function main({ world }: Mpi) {
  const other = 1 - world.rank
  const theirs = world.sendrecv(world.rank, { dest: other, source: other })
}`,
  },
  BF02: {
    title: 'a collective that happened not to wait',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) {
    world.bcast('hello')
    world.ssend(1, { dest: 1 })
  } else {
    world.recv({ source: 0 })
    world.bcast(undefined)
  }
}`,
    why: `
A collective may wait for all ranks of its communicator, or only for those whose data it needs
(MPI 4.1, section 6.1): the root of a bcast may leave at once, or not. A correct program is right
in both cases. This one needs the root to leave before the others have come.`,
    right: `
export default function main({ world }: Mpi) {
  world.bcast(world.rank === 0 ? 'hello' : undefined)
  if (world.rank === 0) world.ssend(1, { dest: 1 })
  else world.recv({ source: 0 })
}`,
  },
  NT01: {
    title: 'one rank is busy, and all others wait for it',
    ranks: 2,
    wrong: `
export default function main({ world }: Mpi) {
  if (world.rank === 0) for (let step = 0; step < 1e11; step++);
  world.barrier()
}`,
    why: `
This is a note and not an error: a long computation is a right of the program. The line it names
is where the rank was at that moment. When the work is as long as that on purpose, share it among
the ranks; when it is a loop without an end, here it is.`,
    right: `
export default function main({ world }: Mpi) {
  for (let step = world.rank; step < 1e9; step += world.size);
  world.barrier()
}`,
  },
}
