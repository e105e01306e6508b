// Lets one of several processes at a time work on the tree: `npm start` and `npm test` in two
// terminals must not install into each other's folders.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function withLock(path, say, work) {
  let waiting = false
  while (!take(path)) {
    if (!waiting) say('waiting for another setup of this folder ...')
    waiting = true
    await sleep(200)
  }
  try {
    await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path) {
  // The lock of a process that was killed is taken away, then there is one more try.
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (isAlive(path)) return false
      rmSync(path, { force: true })
    }
  }
  return false
}

function isAlive(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // A file without a number in it is being written at this moment.
    if (pid !== 0) process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
