import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { linesOf, mpiexec, programs } from './mpiexec.js'

const launcher = fileURLToPath(new URL('../../dist/launch/mpiexec.js', import.meta.url))

/** Runs a shell line with `$MPIEXEC` in it. */
async function shell(line: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, MPIEXEC: `'${process.execPath}' '${launcher}'`, NO_COLOR: '1' }
  const options = { cwd: programs, env, timeout: 25_000, maxBuffer: 2 ** 28 }
  return await promisify(execFile)(
    '/bin/sh',
    ['-c', line.replace('$MPIEXEC', env.MPIEXEC)],
    options,
  )
}

/** Every line whole, each rank's lines in order, none lost. */
function expectWhole(text: string, ranks: number, count: number, label = ''): void {
  const next = new Array<number>(ranks).fill(0)
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  for (const line of lines) {
    const match = /^(?:\[(\d+)\] )?<(\d+):(\d+):é*>$/.exec(line)
    if (!match || (label !== '' && match[1] !== match[2]))
      throw new Error(`torn: ${line.slice(0, 100)}`)
    const rank = Number(match[2])
    expect(Number(match[3])).toBe(next[rank]!++)
  }
  expect(next).toEqual(next.map(() => count))
}

describe('output of ranks', () => {
  it.each([1, 2, 3])('keeps lines whole and loses none in a pipe, seed %i', async (seed) => {
    const run = await mpiexec(['-n', '3', 'writes.ts', String(seed), '400'])
    expect(run.status).toBe(0)
    expectWhole(run.stdout, 3, 400)
    for (const line of linesOf(run.stderr)) expect(line).toMatch(/^error of \d$/)
  })

  it('keeps lines whole in a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
    const file = join(folder, 'output')
    await shell(`$MPIEXEC -n 3 writes.ts 4 400 2>/dev/null >'${file}'`)
    expectWhole(readFileSync(file, 'utf8'), 3, 400)
    rmSync(folder, { recursive: true })
  })

  it('waits for a slow reader', async () => {
    const { stdout } = await shell('$MPIEXEC -n 2 writes.ts 5 600 2>/dev/null | (sleep 1; cat)')
    expectWhole(stdout, 2, 600)
  })

  it('labels lines with their rank', async () => {
    const { stdout } = await mpiexec(['-n', '2', '--prefix', 'writes.ts', '6', '200'])
    expectWhole(stdout, 2, 200, 'labelled')
  })

  it('shows what happened before a message before what happened after it', async () => {
    const { stdout } = await mpiexec(['-n', '3', 'relay.ts', '200'])
    const rounds = Array.from({ length: 200 }, (_, round) =>
      [0, 1, 2].map((rank) => `round ${round} rank ${rank}`),
    )
    expect(stdout.trimEnd().split('\n')).toEqual(rounds.flat())
  })

  it('ends quietly when the reader goes away', async () => {
    const { stdout, stderr } = await shell('$MPIEXEC -n 2 flood.ts | head -1')
    expect(stdout).toMatch(/^line \d+ of rank \d\n$/)
    expect(stderr).toBe('')
  })

  it('keeps one rank from unfinished lines of another', async () => {
    const { stdout } = await mpiexec(['-n', '3', 'unfinished.ts'])
    expect(linesOf(stdout)).toEqual(['rank 0', 'rank 1', 'rank 2'])
  })

  it('writes the bytes of a single rank as they are', async () => {
    const { stdout } = await mpiexec(['-n', '1', 'unfinished.ts'])
    expect(stdout).toBe('rank 0')
  })
})
