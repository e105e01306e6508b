import { formatDuration } from '@commworld/transport/simulated'
import { waitWords } from '../output/wait-words.js'

const FIRST_MS = 2000
/** On a terminal one line changes; elsewhere a line is printed now and then. */
const TERMINAL_MS = 500
const LINES_MS = 5000
const CLEAR_LINE = '\u001b[K'

/** Tells on standard error how far a long run is, and how long it may still take. */
export interface ProgressLine {
  /** @param share of the work that is done, from 0 to 1 */
  tell(share: number, timePs: number): void
  end(): void
}

export function progressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  const start = performance.now()
  const every = stream.isTTY ? TERMINAL_MS : LINES_MS
  let next = start + Math.max(FIRST_MS, every)
  let told = false
  return {
    tell(share, timePs) {
      const now = performance.now()
      if (now < next) return
      next = now + every
      told = true
      const text = progressText(share, timePs, now - start)
      stream.write(stream.isTTY ? `\r${text}${CLEAR_LINE}` : `${text}\n`)
    },
    end() {
      if (told && stream.isTTY) stream.write(`\r${CLEAR_LINE}`)
    },
  }
}

/** `42 % done, virtual time 1.2 ms, about 15 s left` */
export function progressText(share: number, timePs: number, elapsedMs: number): string {
  const done = `${Math.floor(share * 100)} % done, virtual time ${formatDuration(timePs)}`
  if (share === 0) return done
  return `${done}, about ${waitWords((elapsedMs * (1 - share)) / share / 1000)} left`
}
