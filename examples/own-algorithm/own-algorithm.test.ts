// The algorithms of this folder, and that the page about them shows what is here.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { local, Op } from '@commworld/mpi'
import { checkAlgorithm } from '@commworld/mpi/plan'
import { assertAlgorithm } from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { root } from '../mpiexec.js'
import { allgatherFold } from './allgather-fold.js'
import { firstTry } from './first-try.js'
import { foldAtOnce, foldOutwards, foldOwnFirst } from './fold-wrong.js'
import { sparbit } from './sparbit.js'

test('Sparbit breaks no rule', () => {
  assertAlgorithm(sparbit, { ranks: 66 })
})

test('allgather and fold breaks no rule', () => {
  assertAlgorithm(allgatherFold, { ranks: 20 })
})

test('Sparbit gathers whatever ranks give', async () => {
  const value = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.array(fc.nat()))
  const given = fc.array(value, { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(given, fc.nat(), async (values, seed) => {
      const gathered = await local(
        values.length,
        ({ world }) => world.iallgather(values[world.rank], { algorithm: sparbit }),
        { seed },
      )
      for (const atOneRank of gathered) expect(atOneRank).toEqual(values)
    }),
    { numRuns: 50 },
  )
})

test('allgather and fold keeps the order of ranks', async () => {
  const concat = Op.create((lower: string, higher: string) => lower + higher, { name: 'CONCAT' })
  for (const ranks of [1, 2, 3, 7, 12]) {
    const words = await local(ranks, ({ world }) =>
      world.iallreduce(`${world.rank} `, concat, { algorithm: allgatherFold }),
    )
    const inOrder = Array.from({ length: ranks }, (_, rank) => `${rank} `).join('')
    expect(new Set(words)).toEqual(new Set([inOrder]))
  }
})

test('the first try is right on powers of two', () => {
  expect(checkAlgorithm(firstTry, { ranks: [1, 2, 4, 8, 16] })).toBeUndefined()
  expect(checkAlgorithm({ ...firstTry, needs: { powerOfTwo: true } })).toBeUndefined()
})

test('the wrong folds are wrong in one way each', () => {
  const wrong = [firstTry, foldAtOnce, foldOwnFirst, foldOutwards]
  const kinds = wrong.map((algorithm) => checkAlgorithm(algorithm)?.kind)
  expect(kinds).toEqual(['volume', 'deadlock', 'wrong result', 'different trees'])
  const commutative = { ...foldOwnFirst, needs: { commutative: true } } as const
  expect(checkAlgorithm(commutative)?.kind).toBe('different trees')
})

const page = readFileSync(join(root, 'docs/new-algorithm.md'), 'utf8')

test('the page shows code that is here or in the library', () => {
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
  expect(blocks.length).toBeGreaterThan(8)
  const sources = ['examples/own-algorithm', 'packages/mpi/src/coll'].flatMap(filesIn)
  for (const block of blocks) {
    // What a page leaves out of the middle of a file stands as `// ...`.
    for (const part of block.split(/^ *\/\/ \.\.\.\n/m)) {
      const code = part.trim()
      expect(
        sources.some((source) => source.includes(code)),
        code,
      ).toBe(true)
    }
  }
})

test('the page tells what each violation and each restriction means', () => {
  const kinds = readFileSync(join(root, 'packages/mpi/src/coll/check/violation.ts'), 'utf8')
  for (const [, kind] of kinds.matchAll(/^ {2}\| '(.*)'$/gm)) expect(page).toContain(`| ${kind} |`)
  const card = readFileSync(join(root, 'packages/mpi/src/coll/plan/algorithm.ts'), 'utf8')
  const parts = (name: string): string[] => {
    const [, inside = ''] = new RegExp(`interface ${name} \\{(.*?)^\\}`, 'ms').exec(card) ?? []
    return [...inside.matchAll(/^ {2}(?:readonly )?(\w+)[?:(]/gm)].map(([, part]) => part!)
  }
  for (const name of ['Emit', 'Environment', 'Restrictions', 'Algorithm']) {
    expect(parts(name).length).toBeGreaterThan(5)
    for (const part of parts(name)) expect(page).toMatch(new RegExp(`\`${part}\\b`))
  }
})

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
}
