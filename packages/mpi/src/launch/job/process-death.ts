import { abortedRank } from './abort-words.js'
import { EXIT } from './exit-status.js'
import type { ProcessEnd } from './job-process.js'

/** What to say when the job's process died without a word of its own, and the exit status. */
export function describeDeath(
  { signal, status, words }: Extract<ProcessEnd, { kind: 'died' }>,
  reportFolder: string,
): { readonly text: string; readonly status: number } {
  if (words.heapWasFull) {
    return { text: heapText(abortedRank(reportFolder)), status: EXIT.error }
  }
  if (words.addressSpaceWasFull) {
    return {
      text:
        'the address space that this process may have (ulimit -v) is too small for so many ranks, each of ' +
        'which reserves some of it for its code. Start fewer, or all on one thread with --in-process',
      status: EXIT.error,
    }
  }
  const how = signal === null ? `with exit status ${status}` : `by ${signal}`
  const tail = words.text === '' ? '' : `\n${words.text}`
  return { text: `the job's process ended without a word, ${how}${tail}`, status: EXIT.internal }
}

/** `rank` is undefined when it is not known. */
function heapText(rank: number | undefined): string {
  const who = rank === undefined ? 'a rank' : `rank ${rank}`
  return (
    `${who} ran out of JavaScript heap; the other ranks were ended. ` +
    'Give each rank more with --heap 4GiB, or keep large data in memory from alloc(), which is no heap'
  )
}
