import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('watchdog names a test that blocks its thread and ends the run', () => {
  const run = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/fixtures/hang/vitest.config.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 25_000,
      env: { ...process.env, COMMWORLD_WATCHDOG_MS: '500', NO_COLOR: '1' },
    },
  )
  const output = run.stdout + run.stderr
  expect(output).toMatch(/watchdog: .*hang\.fixture\.ts hung in the test "blocks its thread"/)
  expect(run.status).toBe(1)
})
