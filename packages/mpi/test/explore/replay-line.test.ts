import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { mpiexec } from '../launch/mpiexec.js'

const cwd = fileURLToPath(new URL('./programs', import.meta.url))
/** What a shell has to quote. */
const WORD = "it's wrong"

/** A command line as a shell reads it. */
function wordsOf(line: string): string[] {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
  return stdout.trimEnd().split('\n')
}

describe.each([
  ['--in-process', 'race.ts'],
  ['--serial', 'blocking-race.ts'],
])('mpiexec explore of a program for %s', (carrier, file) => {
  test('finds the fault by one deviation, and its replay line shows it', async () => {
    const found = await mpiexec(['explore', '-n', '3', '--runs', '40', '--json', file, WORD], {
      cwd,
    })
    expect([found.stderr, found.status]).toEqual(['', 2])
    const { failures, ranks, file: named } = JSON.parse(found.stdout)
    expect([ranks, named, failures.length]).toEqual([3, file, 1])
    const [{ again, deviations, reproduces, text }] = failures
    expect([deviations.length, reproduces]).toEqual([1, true])
    expect(text).toContain(`${WORD}: the last came from rank 1`)

    const [command, ...line] = wordsOf(again)
    expect([command, ...line.slice(0, 3)]).toEqual(['mpiexec', '-n', '3', carrier])
    const shown = await mpiexec(line, { cwd })
    expect(shown.status).toBe(1)
    expect(shown.stderr).toContain(`${WORD}: the last came from rank 1`)
  })
})
