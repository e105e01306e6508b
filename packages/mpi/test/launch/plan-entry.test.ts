import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  AlgorithmError,
  ArgumentError,
  collectiveAlgorithms,
  launch,
  local,
  SUM,
} from '@commworld/mpi'
import * as plan from '@commworld/mpi/plan'
import { afterAll, describe, expect, it } from 'vitest'
import { mpiexec } from './mpiexec.js'
import main from './programs/own-algorithm.js'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const program = new URL('./programs/own-algorithm.ts', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('@commworld/mpi/plan', () => {
  it('shares its modules with @commworld/mpi', () => {
    expect(plan.collectiveAlgorithms).toBe(collectiveAlgorithms)
  })

  it('serves programs on threads and on coroutines', async () => {
    const expected = { violation: undefined, ranks: [0, 1, 2], one: true }
    expect(await launch(program, { ranks: 3 })).toEqual([expected, expected, expected])
    expect(await local(3, main)).toEqual([expected, expected, expected])
  })

  it('serves a program in a folder that belongs to no project', async () => {
    writeFileSync(join(folder, 'own.ts'), readFileSync(program))
    const { status, stderr } = await mpiexec(['-n', '3', 'own.ts'], { cwd: folder })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('has an algorithm that is wrong refused before anything moves', async () => {
    const wrong = launch(program, { ranks: 3, args: ['wrong'] })
    await expect(wrong).rejects.toThrow(AlgorithmError)
    const { status, stderr } = await mpiexec(['-n', '3', program.pathname, 'wrong'])
    expect(status).toBe(1)
    expect(stderr.replace(/\s+/g, ' ')).toMatch(/algorithm `mine` of allgather .* rank 3 of 3/)
  })

  it.each([null, {}, 5, () => {}, [], { collective: 'scan', name: 'mine' }])(
    'has %j refused, which is no algorithm',
    async (algorithm) => {
      const options = { algorithm: algorithm as never }
      const run = local(2, ({ world }) => world.iscan(1, SUM, options))
      await expect(run).rejects.toThrow(ArgumentError)
      await expect(local(1, ({ world }) => world.ibarrier(options))).rejects.toThrow(
        /`algorithm` must be a name, or an algorithm made by defineCollective, but is/,
      )
    },
  )

  it('has an algorithm of another collective refused', async () => {
    const ring = collectiveAlgorithms.find(({ name }) => name === 'ring')!
    const run = local(2, ({ world }) => world.iscan(1, SUM, { algorithm: ring }))
    await expect(run).rejects.toThrow(/algorithm `ring` of scan is one of allgather/)
  })
})

describe('the package', () => {
  const { exports, files } = JSON.parse(
    readFileSync(join(packageFolder, 'package.json'), 'utf8'),
  ) as { exports: Record<string, { types: string; default: string }>; files: string[] }

  it('packs what it exports', () => {
    expect(Object.keys(exports)).toContain('./plan')
    for (const { types, default: file } of Object.values(exports)) {
      expect(files.some((packed) => file.startsWith(`./${packed}/`))).toBe(true)
      expect(existsSync(join(packageFolder, file)), file).toBe(true)
      // Types are written by `tsc -b`, which tests do without.
      const source = types.replace('./dist/', './src/').replace(/\.d\.ts$/, '.ts')
      expect(existsSync(join(packageFolder, source)), source).toBe(true)
    }
  })
})
