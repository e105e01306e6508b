import { describe, expect, it } from 'vitest'
import { lineOf, linesOf, mpiexec } from './mpiexec.js'

describe('mpiexec --in-process', () => {
  it('runs ranks on one thread', async () => {
    const { status, stdout, stderr } = await mpiexec(['--in-process', '-n', '3', 'i-forms.ts'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.match(/rank \d/g)).toHaveLength(3)
    expect(stdout.match(/sum 3/g)).toHaveLength(3)
  })

  it('tells the output of ranks apart', async () => {
    const run = await mpiexec(['--in-process', '--prefix', '-n', '3', 'i-forms.ts'])
    expect(linesOf(run.stdout)).toEqual([
      '[0] rank 0: sum 3',
      '[1] rank 1: sum 3',
      '[2] rank 2: sum 3',
    ])
  })

  it('does the same twice with one seed', async () => {
    const line = ['--in-process', '--seed', '11', '-n', '8', 'i-forms.ts']
    const [first, second] = [await mpiexec(line), await mpiexec(line)]
    expect(second.stdout).toBe(first.stdout)
    const other = await mpiexec(['--in-process', '--seed', '12', '-n', '8', 'i-forms.ts'])
    expect(other.stdout).not.toBe(first.stdout)
  })

  it('runs 1024 ranks', async () => {
    const { status, stdout } = await mpiexec(['--in-process', '-n', '1024', 'i-forms.ts'])
    expect(status).toBe(0)
    expect(stdout.match(/sum 523776/g)).toHaveLength(1024)
  })

  it.each([
    ['deadlock', 2, /DL01 deadlock: ranks 0-2 can never continue/, 'await world.irecv'],
    ['throw', 1, /ER01 rank 1 threw Error: thrown by a coroutine/, "new Error('thrown"],
    ['block', 1, /SharedThreadError[^]*`await world\.irecv\(\.\.\.\)`/, 'world.recv('],
    ['poll', 2, /FruitlessPollError/, 'world.iprobe'],
    ['abort', 4, /AB01 rank 1 called abort\(4\)/, 'world.abort'],
    ['compute', 124, /AB02 the time limit of 2 s was over/, 'Math.sqrt'],
  ])('reports a rank that ends by %s', async (end, expected, report, place) => {
    const line = ['--in-process', '--timeout', '2', '-n', '3', 'i-forms.ts', end]
    const { status, stderr } = await mpiexec(line)
    expect(stderr).toMatch(report)
    expect(stderr).toContain(lineOf('i-forms.ts', place))
    expect(status).toBe(expected)
  })

  it('runs the same program on threads', async () => {
    const { status, stdout } = await mpiexec(['-n', '3', 'i-forms.ts'])
    expect(status).toBe(0)
    expect(linesOf(stdout)).toEqual(['rank 0: sum 3', 'rank 1: sum 3', 'rank 2: sum 3'])
  })
})
