import { startThread } from '../rank/raw-thread.js'

// The job's process. Threads take longest to start, so they are started before anything else is loaded.

const [threadCount, heapBytes] = process.argv.slice(2).map(Number) as [number, number]
const threads = Array.from({ length: threadCount }, (_, rank) =>
  // Beside this file where both are built to.
  startThread(new URL('./worker.js', import.meta.url), {
    name: `rank ${rank}`,
    heapBytes: heapBytes || undefined,
    input: rank === 0,
  }),
)
const { serveJob } = await import('./job-main.js')
serveJob(threads)
