import { describe, expect, it } from 'vitest'
import { lineOf, linesOf, mpiexec } from './mpiexec.js'

const both = ['rank 0 began', 'rank 1 began']

describe('mpiexec', () => {
  it('ends with 0 and all output when all ranks return', async () => {
    const { status, stdout, stderr } = await mpiexec(['-n', '2', 'ends.ts', 'clean'])
    expect({ status, stderr, lines: linesOf(stdout) }).toEqual({
      status: 0,
      stderr: '',
      lines: both,
    })
  })

  it.each([
    ['throw', 1, /error ER01 rank 1 threw RangeError: this went wrong/, 'new RangeError'],
    ['throw-text', 1, /rank 1 threw [^]*only a text/, undefined],
    ['reject', 1, /rank 1 threw TypeError: nobody caught this/, 'new TypeError'],
    ['late', 1, /rank 1 threw Error: thrown from a timer/, "new Error('thrown from a timer')"],
    ['exit', 7, /rank 1 called process\.exit\(7\) at/, 'process.exit(7)'],
    ['exit-zero', 0, /rank 1 called process\.exit\(0\) at/, 'process.exit(0)'],
    ['abort', 9, /rank 1 called abort\(9\)/, 'world.abort(9)'],
    ['silent', 2, /rank 1/, undefined],
    ['heap', 1, /rank 1 ran out of JavaScript heap[^]*--heap/, undefined],
    ['heap-at-once', 1, /rank 1 ran out of JavaScript heap[^]*--heap/, undefined],
  ])('reports a rank that ends by %s', async (way, expected, report, place) => {
    const run = await mpiexec(['-n', '2', '--heap', '64MiB', 'ends.ts', way])
    expect(run.stderr).toMatch(report)
    if (place) expect(run.stderr).toContain(lineOf('ends.ts', place))
    expect(run.status).toBe(expected)
    expect(linesOf(run.stdout)).toEqual(both)
    expect(run.stderr).not.toContain('Native stack trace')
  })

  it('lists what the others waited for', async () => {
    const { stderr } = await mpiexec(['-n', '2', 'ends.ts', 'throw'])
    expect(stderr).toMatch(/rank 0 +recv\(src 1, tag any, world\) +ends\.ts:\d+ +waits/)
    expect(stderr).toContain(lineOf('ends.ts', 'world.recv'))
  })

  it.each([
    ['message', /error MS01 a message was sent to rank 1 and never received/],
    ['request', /error TS01 a request was never waited on/],
  ])('reports a %s that was left over, whoever finished first', async (what, report) => {
    const { status, stderr } = await mpiexec(['-n', '2', 'leaves.ts', what])
    expect(stderr).toMatch(report)
    expect(status).toBe(2)
  })

  it('takes a process.exit after main() for the end of that rank', async () => {
    const { status, stderr } = await mpiexec(['-n', '2', 'leaves.ts', 'exit'])
    expect({ status, stderr }).toEqual({ status: 6, stderr: '' })
  })

  it("takes a program's own exit code", async () => {
    const { status, stderr } = await mpiexec(['-n', '2', 'ends.ts', 'exit-code'])
    expect({ status, stderr }).toEqual({ status: 5, stderr: '' })
  })

  it('ends at its time limit and says where each rank is', async () => {
    const run = await mpiexec(['-n', '2', '--timeout', '3', 'ends.ts', 'compute'])
    expect(run.status).toBe(124)
    expect(run.stderr).toMatch(/the time limit of 3 s was over/)
    expect(run.stderr).toMatch(/rank 0 +recv\(src 1/)
    expect(run.stderr).toContain(lineOf('ends.ts', 'world.recv'))
    expect(run.stderr).toContain(lineOf('ends.ts', 'Math.sqrt'))
  })

  it('lets what main() left running come to its end', async () => {
    const { status, stdout } = await mpiexec(['-n', '2', 'leaves-timer.ts'])
    expect(status).toBe(0)
    expect(linesOf(stdout)).toEqual(['late word of rank 0', 'late word of rank 1'])
  })
})
