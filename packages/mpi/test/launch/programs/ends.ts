import type { Mpi } from '@commworld/mpi'

/** Rank 1 ends in the way that the first argument names, while rank 0 waits for it. */
export default async function main({ world, args: [way] }: Mpi): Promise<void> {
  console.log(`rank ${world.rank} began`)
  if (world.rank === 1) await end()
  else if (world.rank === 0 && way !== 'clean') world.recv({ source: 1 })

  async function end(): Promise<void> {
    if (way === 'throw') throw new RangeError('this went wrong')
    if (way === 'throw-text') throw 'only a text'
    if (way === 'reject') void Promise.reject(new TypeError('nobody caught this'))
    if (way === 'late') setTimeout(() => neverDefined(), 10)
    if (way === 'reject' || way === 'late')
      await new Promise((resolve) => setTimeout(resolve, 5000))
    if (way === 'exit') process.exit(7)
    if (way === 'exit-zero') process.exit(0)
    if (way === 'exit-code') process.exitCode = 5
    if (way === 'exit-code') world.send(1, { dest: 0 })
    if (way === 'abort') world.abort(9)
    if (way === 'silent') await new Promise(() => {})
    if (way === 'heap') fill()
    if (way === 'heap-at-once')
      console.log(Array.from({ length: 5e7 }, (_, index) => ({ index })).length)
    if (way === 'compute') for (let sum = 0; ;) sum += Math.sqrt(sum)
  }
}

function neverDefined(): void {
  throw new Error('thrown from a timer')
}

function fill(): never {
  const all: unknown[] = []
  for (;;) all.push({ more: [all.length] })
}
