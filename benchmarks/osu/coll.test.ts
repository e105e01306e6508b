import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { COLLECTIVES } from './collectives.js'

const names = Object.keys(COLLECTIVES)
const mpiexec = fileURLToPath(new URL('../../packages/mpi/dist/launch/mpiexec.js', import.meta.url))

/** What a program prints at 3 ranks, line by line. */
async function linesOf(program: string, ...args: string[]): Promise<string[]> {
  const file = fileURLToPath(new URL(`${program}.ts`, import.meta.url))
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [mpiexec, '-n', '3', file, ...args])
  return stdout.trimEnd().split('\n')
}

test('the native twin knows the same collectives', () => {
  const source = readFileSync(new URL('../native/collectives.h', import.meta.url), 'utf8')
  const table = source.slice(source.indexOf('COLLECTIVES[]'))
  expect([...table.matchAll(/^ {4}\{"(\w+)"/gm)].map(([, name]) => name)).toEqual(names)
})

test('coll and coll-overlap run every collective', async () => {
  const lines = await linesOf('every-collective.fixture', '-x', '1', '-i', '2', '-m', '32:128')
  const titles = lines.filter((line) => line.startsWith('# ') && !line.startsWith('# Size'))
  expect(titles).toHaveLength(3 * names.length)
  // Three sizes of memory in each program, but one barrier; the numbers have one size.
  const figures = lines.filter((line) => /^\d/.test(line))
  expect(figures).toHaveLength(2 * (3 * (names.length - 1) + 1) + names.length)
})

test('coll cuts what takes too long', async () => {
  const lines = await linesOf('coll', 'barrier', '-i', '1000000', '-s', '0.01')
  expect(Number(lines.at(-1)?.split(/\s+/).at(-1))).toBeLessThan(1_000_000)
})
