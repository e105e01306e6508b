import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from '../../scripts/lock.mjs'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commworld-lock-'))
  path = join(folder, 'lock')
})

afterEach(() => rmSync(folder, { recursive: true }))

test('withLock lets the second wait for the first and says so', async () => {
  const events: string[] = []
  const first = withLock(path, say, async () => {
    events.push('first begins')
    await sleep(50)
    events.push('first ends')
  })
  const second = withLock(path, say, async () => {
    events.push('second')
  })
  await Promise.all([first, second])
  expect(events).toEqual(['first begins', 'waits', 'first ends', 'second'])

  function say() {
    events.push('waits')
  }
})

test('withLock takes the lock of a process that is no more', async () => {
  writeFileSync(path, '999999999')
  let done = false
  await withLock(path, neverWaits, async () => {
    done = true
  })
  expect(done).toBe(true)
})

test('withLock gives the lock back when the work fails', async () => {
  const work = () => Promise.reject(new Error('no space left'))
  await expect(withLock(path, neverWaits, work)).rejects.toThrow('no space left')
  expect(existsSync(path)).toBe(false)
})

function neverWaits(): void {
  throw new Error('nobody holds the lock')
}
