import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mpiexec } from './mpiexec.js'

describe('mpiexec', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends within a second of %s', async (name, expected) => {
    const after = 'waiting'
    const run = await mpiexec(['-n', '3', 'waits.ts'], { signal: { name, after } })
    expect(run.status).toBe(expected)
    expect(run.milliseconds).toBeLessThan(1000)
    expect(run.stderr).toMatch(new RegExp(`${name} came`))
    expect(run.stderr).toMatch(/ranks 1 and 2 +recv\(src 0/)
  })

  it('ends within a second of SIGINT while ranks flood the output', async () => {
    const signal = { name: 'SIGINT', after: 'line 100 of rank 1' } as const
    const run = await mpiexec(['-n', '2', 'flood.ts'], { signal })
    expect(run.status).toBe(130)
    expect(run.milliseconds).toBeLessThan(1000)
  })

  it('leaves no temporary files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
    const env = { TMPDIR: folder }
    const signal = { name: 'SIGTERM', after: 'waiting' } as const
    await mpiexec(['-n', '2', 'waits.ts'], { env, signal })
    await mpiexec(['-n', '2', 'ends.ts', 'throw'], { env })
    await mpiexec(['-n', '2', 'hello.ts'], { env })
    await mpiexec(['-n', '2', 'waits.ts'], { env, signal: { ...signal, name: 'SIGKILL' } })
    // The job learns of the kill and cleans up by itself.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
  })
})
