// A test that blocks its thread (in Atomics.wait, in an endless loop) blocks the runner's own
// time limit with it. So a thread of its own watches the clock of each test file's process; it
// names the test that hangs and ends the process, which the runner counts as a failure.

import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'

const { setDeadline } = startWatchdog()
const fileTimeoutMs = Number(process.env['COMMWORLD_WATCHDOG_MS'] ?? 90_000)
const graceMs = Math.min(15_000, fileTimeoutMs)

setDeadline('while it was loaded or in a hook', fileTimeoutMs)

beforeEach(({ task }) => {
  setDeadline(`in the test "${task.name}"`, task.timeout + graceMs)
})

afterEach(() => {
  setDeadline('between two tests or in a hook', fileTimeoutMs)
})

afterAll(() => {
  setDeadline('after its last test', fileTimeoutMs)
})

function startWatchdog() {
  const file = expect.getState().testPath ?? 'a test file'
  const worker = new Worker(new URL('./watcher.mjs', import.meta.url), {
    workerData: { file },
    execArgv: [],
    stdout: false,
    stderr: false,
  })
  worker.unref()
  return {
    setDeadline(place: string, timeoutMs: number) {
      worker.postMessage({ place, timeoutMs })
    },
  }
}
