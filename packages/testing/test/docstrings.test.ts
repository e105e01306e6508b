// The examples of the docstrings run, and give what their comments say.

import { inspect } from 'node:util'
import * as mpi from '@commworld/mpi'
import * as kit from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportsOf } from '../../../scripts/docstrings.mjs'
import { ringAllreduce } from '../../../examples/testing/ring-allreduce.js'

const all = exportsOf('packages/testing/src/index.ts')

/** Whether an example runs is seen by few runs of its property. */
fc.configureGlobal({ numRuns: 5, seed: 1 })

/** What examples take for granted. */
const given = {
  ...mpi,
  ...kit,
  fc,
  expect,
  myRing: ringAllreduce,
  main: async ({ world }: mpi.Mpi) => await world.iallreduce(world.rank, mpi.SUM),
  console: { log: () => {} },
}

/** Runs an example, with tests that it declares, and compares values with the comments behind them. */
async function run(example: string): Promise<void> {
  const declared: (() => unknown)[] = []
  const declare = Object.assign((_: string, body: () => unknown) => declared.push(body), {
    each: (rows: unknown[]) => (_: string, body: (row: unknown) => unknown) => {
      for (const row of rows) declared.push(() => body(row))
    },
  })
  const is = (value: unknown, comment: string): void => {
    const shown = inspect(value, { breakLength: Infinity })
    expect([shown, String(value)]).toContain(comment)
  }
  const throws = (body: () => unknown, name: string): void => {
    expect(body).toThrow(expect.objectContaining({ name }))
  }
  const scope = { ...given, test: declare, is, throws, here: import.meta.url }
  const code = checked(example)
    .replaceAll('import.meta.url', 'here')
    .replace('./program', './programs/program')
    // Seconds for 64 ranks would show no more than this.
    .replaceAll('ranks: 64', 'ranks: 8')
  const Body = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor
  await Body(...Object.keys(scope), `{ ${code} }`)(...Object.values(scope))
  for (const body of declared) await body()
}

/** `x // value`, or a value on the lines below, becomes a call that compares. */
function checked(example: string): string {
  return example
    .replace(
      /^(?!const |await |\s|\/\/)(.+)((?:\n\/\/ .*)+)$/gm,
      (_, expression, below: string) => {
        const comment = below
          .trim()
          .split('\n')
          .map((line) => line.slice(3))
          .join('\n')
        return `is(${expression}, ${JSON.stringify(comment)})`
      },
    )
    .replace(/^(?!const |await |\/\/)(.+?) \/\/ throws (\w+).*$/gm, 'throws(() => $1, "$2")')
    .replace(/^(?!const |await |is\(|\/\/)(.+?) \/\/ (.+)$/gm, (_, expression, comment: string) => {
      return `is(${expression}, ${JSON.stringify(comment)})`
    })
}

describe('examples of docstrings', () => {
  const examples = all.flatMap(({ name, examples: own }) =>
    own.map((text) => [name, text] as const),
  )

  test('are there', () => {
    expect(examples.length).toBeGreaterThan(55)
    const silent = all.filter(({ text }) => text === '').map(({ name }) => name)
    expect(silent).toEqual([])
  })

  test.each(examples)('%s', async (_, example) => await run(example))
})

test('an example whose comment is wrong fails', async () => {
  await expect(run('parseChoices("0=2") // [ [ 0, 3 ] ]')).rejects.toThrow()
  await expect(run('parseChoices("0=2")\n// [ [ 0, 3 ] ]')).rejects.toThrow()
  await expect(run('parseChoices("0=2") // throws ChoicesSyntaxError')).rejects.toThrow()
})
