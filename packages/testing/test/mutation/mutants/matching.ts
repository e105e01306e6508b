import { mutantsOf } from '../mutant.js'

const posted = mutantsOf('packages/mpi/src/p2p/matching/posted-queue.ts', 'matching')
const unexpected = mutantsOf('packages/mpi/src/p2p/matching/unexpected-queue.ts', 'matching')
const table = mutantsOf('packages/mpi/src/p2p/matching/envelope-table.ts', 'matching')
const list = mutantsOf('packages/mpi/src/p2p/matching/ordered-list.ts', 'matching')

/** Faults in who gets which message. */
export const matchingMutants = [
  posted(
    'the newer of two receives that fit takes the message',
    'exact.order < receive.order',
    'exact.order > receive.order',
  ),
  posted(
    'a wildcard of source asks for tag 0',
    '(receive.tag === ANY || receive.tag === tag)',
    '(receive.tag === 0 || receive.tag === tag)',
  ),
  posted(
    'a wildcard takes messages of any communicator',
    'receive.context === context &&',
    'receive.context !== -1 &&',
  ),
  posted(
    'the number of receives falls though none was taken',
    'if (found !== undefined) this.size--',
    'this.size--',
  ),
  posted(
    'a receive from a rank with any tag is no wildcard',
    'receive.source === ANY || receive.tag === ANY',
    'receive.source === ANY',
  ),
  posted(
    'what a message has taken stays posted',
    'if (found !== undefined) this.remove(found)',
    'if (found !== undefined) this.size--',
  ),
  posted(
    'a wildcard is taken before any other receive',
    'if (this.#wildcards.size !== 0) return',
    'if (this.#wildcards.size > 1) return',
  ),
  unexpected(
    'a receive with any tag asks for the tag -1',
    'if (source !== ANY && tag !== ANY)',
    'if (source !== ANY)',
  ),
  unexpected(
    'a wildcard gets messages of any communicator',
    'message.context === context &&',
    'message.context !== -1 &&',
  ),
  unexpected(
    'a message that was taken is found again by wildcards',
    'this.#all.remove(message)',
    '',
  ),
  unexpected(
    'a message that was taken is found again by its envelope',
    'this.#exact.remove(message)',
    '',
  ),
  unexpected(
    'a receive from any source gets the message of whatever tag',
    '(tag === ANY || message.tag === tag)',
    'tag >= ANY',
  ),
  unexpected(
    'the last message is not looked at',
    'if (this.size === 0) return undefined',
    'if (this.size <= 1) return undefined',
  ),
  table(
    'the end of an emptied bucket stays, and the next item hangs on it',
    'if (next === undefined) bucket.last = undefined',
    'if (next === undefined) bucket.first = undefined',
  ),
  table('an item behind another is lost', 'else last.next = item', 'else last.next = undefined'),
  table(
    'removing an item loses those behind it',
    'else previous.next = next',
    'else previous.next = undefined',
  ),
  table(
    'removing the last item loses the end',
    'if (next === undefined) bucket.last = previous as T | undefined',
    'if (next === undefined) bucket.last = undefined',
  ),
  table(
    'the bucket used last serves all communicators',
    'recent.context === context',
    'recent.context !== -1',
  ),
  table(
    'a bucket is found whatever its source',
    'bucket.tag === tag && bucket.source === source && bucket.context === context',
    'bucket.tag === tag && bucket.context === context',
  ),
  table(
    'buckets with one hash hide each other',
    'bucket.chained = this.#chains[index]\n',
    'bucket.chained = undefined\n',
  ),
  table(
    'growing keeps a bucket that was thrown away',
    'this.#recent = undefined\n    for',
    'for',
    'a table grows when a bucket is added, and that one is then the one used last',
  ),
  table(
    'growing loses the buckets with one item',
    'if (bucket.first !== undefined) live.push(bucket)',
    'if (bucket.first !== bucket.last) live.push(bucket)',
  ),
  list(
    'removing the newest loses the end',
    'if (later === undefined) this.#last = earlier as T | undefined',
    'if (later === undefined) this.#last = undefined',
  ),
  list(
    'removing the oldest keeps it',
    'if (earlier === undefined) this.first = later as T | undefined',
    'if (earlier === undefined) this.first = item.later === undefined ? undefined : this.first',
  ),
]
