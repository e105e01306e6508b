import { AlgorithmError, ArgumentError, launch, local, type NamedAlgorithms } from '@commworld/mpi'
import { describe, expect, it } from 'vitest'
import { namedAlgorithms } from '../../src/launch/command/named-algorithms.js'
import { UsageError } from '../../src/launch/command/usage-error.js'
import main from './programs/brackets.js'
import { mpiexec } from './mpiexec.js'

/** How four ranks are folded one after the other, and by recursive doubling. */
const oneByOne = '(((01)2)3)'
const doubling = '((01)(23))'

function complaint(options: string, variable = ''): string {
  try {
    namedAlgorithms({ variable, options: options === '' ? [] : [options] })
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  throw new Error(`${options} was accepted`)
}

describe('namedAlgorithms', () => {
  it('reads lists, repeated options and the environment, the last word for a collective', () => {
    const variable = 'bcast=linear,scan=linear'
    const options = ['allreduce=ring, bcast=binomial-tree:4', 'allreduce=circulant']
    expect(namedAlgorithms({ variable, options })).toEqual({
      bcast: 'binomial-tree:4',
      scan: 'linear',
      allreduce: 'circulant',
    })
  })

  it.each([
    ['allreduce=rign', /^--algorithm allreduce=rign: allreduce has no algorithm rign; .* ring\?$/],
    ['allreduce=xxxxxxxx', /allreduce has no algorithm xxxxxxxx; it has circulant, direct, /],
    ['alreduce=ring', /there is no collective alreduce; did you mean allreduce\?/],
    ['iallreduce=ring', /did you mean allreduce\?/],
    ['sendrecv=ring', /there is no collective sendrecv; --info coll lists all/],
    ['toString=ring', /there is no collective toString/],
    ['allreduce=toString', /allreduce has no algorithm toString/],
    ['ring', /--algorithm needs COLLECTIVE=NAME, such as allreduce=ring; it got 'ring'/],
    ['allreduce=', /it got 'allreduce='/],
    ['allreduce=ring,', /it got ''/],
    ['allreduce=ring:4', /algorithm `ring:4` of allreduce has no radix/],
    ['bcast=binomial-tree:1', /algorithm `binomial-tree:1` of bcast needs a radix from 2 to 64/],
    ['bcast=binomial-tree:', /needs a radix from 2 to 64/],
  ])('refuses %s', (list, message) => {
    expect(complaint(list)).toMatch(message)
    expect(complaint(list)).not.toContain('\n')
    expect(complaint('', list)).toContain('COMMWORLD_ALGORITHM')
  })
})

describe('mpiexec --algorithm', () => {
  it.each([[[]], [['--in-process']], [['--serial']]])('is for all ranks, %j', async (carrier) => {
    const named = ['--algorithm', 'allreduce=recursive-doubling']
    const run = await mpiexec([...carrier, ...named, '-n', '4', 'brackets.ts'])
    expect(run).toMatchObject({ status: 0, stdout: `${doubling}\n`, stderr: '' })
    const without = await mpiexec([...carrier, '-n', '4', 'brackets.ts'])
    expect(without.stdout).toBe(`${oneByOne}\n`)
  })

  it('goes before COMMWORLD_ALGORITHM', async () => {
    const env = { COMMWORLD_ALGORITHM: 'allreduce=recursive-doubling' }
    expect((await mpiexec(['-n', '4', 'brackets.ts'], { env })).stdout).toBe(`${doubling}\n`)
    const other = ['--algorithm', 'allreduce=direct', '-n', '4', 'brackets.ts']
    expect((await mpiexec(other, { env })).stdout).toBe(`${oneByOne}\n`)
  })

  it('leaves calls to the table that the algorithm cannot serve', async () => {
    const run = await mpiexec(['--algorithm', 'allreduce=ring', '-n', '4', 'brackets.ts'])
    expect(run).toMatchObject({ status: 0, stdout: `${oneByOne}\n` })
  })

  it.each([{}, { COMMWORLD_ALGORITHM: 'allreduce=rign' }])(
    'refuses before it starts, %j',
    async (env) => {
      const named = 'COMMWORLD_ALGORITHM' in env ? [] : ['--algorithm', 'allreduce=rign']
      const { status, stdout, stderr } = await mpiexec([...named, '-n', '4', 'brackets.ts'], {
        env,
      })
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^mpiexec: .*allreduce has no algorithm rign; did you mean ring\?\n$/)
    },
  )
})

const program = new URL('./programs/brackets.ts', import.meta.url)

const carriers = {
  launch: (algorithms?: NamedAlgorithms) =>
    launch<string>(program, { ranks: 4, ...(algorithms !== undefined && { algorithms }) }),
  local: (algorithms?: NamedAlgorithms) =>
    local(4, main, { ...(algorithms !== undefined && { algorithms }) }),
}

describe.each(['launch', 'local'] as const)('%s with algorithms', (carrier) => {
  const run = carriers[carrier]

  it('uses them where they can serve', async () => {
    expect(new Set(await run())).toEqual(new Set([oneByOne]))
    expect(new Set(await run({ allreduce: 'reduce-bcast' }))).toEqual(new Set([doubling]))
    expect(new Set(await run({ allreduce: 'ring' }))).toEqual(new Set([oneByOne]))
  })

  it.each([
    [
      { allreduce: 'rign' },
      AlgorithmError,
      /`rign` of allreduce is not there: there are circulant/,
    ],
    [{ alreduce: 'ring' }, AlgorithmError, /`ring` of alreduce is not there: the collectives are/],
    [{ bcast: 'linear:4' }, AlgorithmError, /has no radix/],
    [
      { bcast: () => {} },
      ArgumentError,
      /`algorithms.bcast` must be a name.*\{ algorithm: mine \}/,
    ],
    ['bcast=linear', ArgumentError, /`algorithms` must be an object such as/],
    [null, ArgumentError, /`algorithms` must be/],
  ])('refuses %j', async (algorithms, type, message) => {
    const refused = run(algorithms as NamedAlgorithms)
    await expect(refused).rejects.toThrow(type)
    await expect(run(algorithms as NamedAlgorithms)).rejects.toThrow(message)
  })
})
