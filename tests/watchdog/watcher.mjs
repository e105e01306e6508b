// The thread behind setup.ts: holds one timer, which every message winds up anew.

import { writeSync } from 'node:fs'
import { relative } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const file = relative(process.cwd(), workerData.file)
let timer

parentPort.on('message', ({ place, timeoutMs }) => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    writeSync(
      2,
      `\nwatchdog: ${file} hung ${place}: no progress for ${timeoutMs} ms, process ended\n`,
    )
    process.kill(process.pid, 'SIGKILL')
  }, timeoutMs)
})
