// What stands for vitest in a bundle: takes down the tests of the files that were bundled and runs them,
// one after the other, until one fails. `expect` is vitest's own.

import fc from 'fast-check'
import { format } from 'node:util'

export { expect } from './matchers.mjs'

type Body = (...row: never[]) => unknown

interface Taken {
  readonly title: string
  readonly body: () => unknown
}

const taken: Taken[] = []
const path: string[] = []

export const test = withRows((title, body) => {
  taken.push({ title: [...path, title].join(' > '), body })
})
export const it = test

export const describe = withRows((title, body) => {
  path.push(title)
  void body()
  path.pop()
})

/** What is hoisted by vitest runs at its place here, and what is mocked is looked up by the bundle. */
export const vi = {
  hoisted: <T>(make: () => T): T => make(),
  mock: (file: string, make: () => object): void => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    ;((globalThis as { mocked?: Record<string, object> }).mocked ??= {})[name] = make()
  },
}

export const afterEach = (): void => {}
export const afterAll = afterEach
export const beforeEach = afterEach

function withRows(take: (title: string, body: () => unknown) => void) {
  const one = (title: string, ...rest: unknown[]): void => {
    take(title, rest.find((part) => typeof part === 'function') as () => unknown)
  }
  const each =
    (rows: readonly unknown[]) =>
    (title: string, ...rest: unknown[]): void => {
      const body = rest.find((part) => typeof part === 'function') as Body
      for (const row of rows) {
        const words = Array.isArray(row) ? row : [row]
        take(titleOf(title, words), () => body(...(words as never[])))
      }
    }
  return Object.assign(one, { each, skip: () => {} })
}

function titleOf(title: string, words: readonly unknown[]): string {
  const [first] = words
  const named = title.replace(/\$(\w+)/g, (_, name: string) =>
    String((first as Record<string, unknown>)[name]),
  )
  const places = named.match(/%[sdifjoO]/g)?.length ?? 0
  return format(named, ...words.slice(0, places))
}

/** Which test failed first, if any; runs of its property, and time since the first test. */
export interface Verdict {
  readonly failed: string | undefined
  readonly tests: number
  readonly runs: number
  /** Of the processor, so that it says the same on a busy machine. */
  readonly ms: number
  readonly error: string
}

/** Runs what was taken down. The last line that is printed is the verdict. */
export async function runAll(seed: number, without: RegExp): Promise<Verdict> {
  // Nobody reads the counterexample of a mutant, so it need not be small.
  fc.configureGlobal({ seed, endOnFailure: true })
  const start = process.cpuUsage()
  const ms = (): number => {
    const { user, system } = process.cpuUsage(start)
    return Math.round((user + system) / 1000)
  }
  let tests = 0
  for (const { title, body } of taken) {
    if (without.test(title)) continue
    tests++
    try {
      await body()
    } catch (error) {
      const text = String(error) + String((error as Error).cause ?? '')
      const runs = Number(/after (\d+) tests?/.exec(text)?.[1] ?? 1)
      return { failed: title, tests, runs, ms: ms(), error: text.slice(0, 2000) }
    }
  }
  return { failed: undefined, tests, runs: 0, ms: ms(), error: '' }
}
