import { describe, expect, test } from 'vitest'

import { simulateCommand } from '../../src/launch/command/simulate-command.js'
import { UsageError } from '../../src/launch/command/usage-error.js'

const run = (line: string): string => simulateCommand(line.split(' ').filter((word) => word !== ''))

describe('mpiexec simulate', () => {
  test('prints time, shares, critical path, layer and what it ignores', () => {
    const text = run('allreduce -n 64 --bytes 8 --algorithm recursive-doubling')
    expect(text).toContain('allreduce by recursive doubling: 64 ranks, 8 B')
    for (const part of ['time  ', 'critical path  ', 'layer 1: ', 'ignored: ', 'estimates: ']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('messages            384 with 3 KiB')
  })

  test('prints links of layer 2, and a digest that does not change', () => {
    const line = 'alltoall -n 64 --bytes 64KiB --algorithm pairwise --layer 2 --ppn 2 --digest'
    expect(run(line)).toContain('busiest links')
    expect(run(line)).toBe(run(line))
    expect(run(line)).toMatch(/event log: [0-9a-f]{16}$/)
  })

  test('helps', () => {
    expect(run('--help')).toContain('--fabric FILE')
    expect(run('')).toContain('--fabric FILE')
  })

  test('checks a fabric', () => {
    const text = run('check -n 100')
    expect(text).toContain('100 hosts')
    expect(text).toContain('not reached: 0')
    expect(text).toContain('free of deadlock on one virtual lane')
    expect(text).toContain('hopNs 100: ')
  })

  test.each([
    ['alreduce -n 4', 'there is no collective alreduce; did you mean allreduce?'],
    ['allreduce', 'simulate needs --ranks'],
    ['allreduce -n four', "--ranks needs a whole number from 1; it got 'four'"],
    ['allreduce -n 4 --algorithm rign', 'allreduce has no algorithm rign; did you mean ring?'],
    ['allreduce -n 4 --rank 4', 'simulate has no option --rank; did you mean --ranks?'],
    ['allreduce -n 4 --layer 3', "--layer is 1 or 2, not '3'"],
    ['allreduce -n 4 --fabric none.yaml', 'none.yaml: cannot be read'],
    ['allreduce -n 5 --routing dimension-order', 'needs a torus'],
    ['bcast -n 4 --root 4', '--root 4: ranks are 0 to 3'],
    ['barrier -n 4 --segments 3', 'barrier has a block for each rank, and no segments'],
    ['allreduce -n 4 --bytes lots', "it got 'lots'"],
    ['allgather -n 5 --algorithm neighbor-exchange', '5 is odd'],
  ])('refuses %s', (line, reason) => {
    expect(() => run(line)).toThrow(UsageError)
    expect(() => run(line)).toThrow(reason)
  })
})
