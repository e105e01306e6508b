import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ProgressReporter } from './tests/progress/reporter.js'

const timeoutMs = 30_000
// Most tests keep one core busy, and those that start ranks wait for them in part. By default all but
// one core work, which is one of two.
const cores = availableParallelism()

export default defineConfig({
  test: {
    // A world has threads of its own that may block: every test file gets a process.
    pool: 'forks',
    maxWorkers: cores,
    maxConcurrency: cores,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    reporters: [
      'default',
      ...(process.stdout.isTTY ? [] : [new ProgressReporter()]),
      ...(process.env['CI'] ? ['json'] : []),
    ],
    // .ci/run counts what ran.
    outputFile: { json: '.cache/tests.json' },
    setupFiles: ['tests/watchdog/setup.ts'],
    projects: [
      project('units', ['packages/*/test/**/*.test.ts', 'benchmarks/**/*.test.ts']),
      project('repository', ['tests/**/*.test.ts']),
      project('examples', ['examples/**/*.test.ts']),
    ],
  },
})

function project(name: string, include: string[]) {
  return { extends: true as const, test: { name, include } }
}
