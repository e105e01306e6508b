import { mutantsOf } from '../mutant.js'

const completions = mutantsOf('packages/transport/src/ring/completion-ring.ts', 'rings')
const messages = mutantsOf('packages/transport/src/ring/message-ring.ts', 'rings')
const receives = mutantsOf('packages/transport/src/ring/receive-queue.ts', 'rings')
const waiters = mutantsOf('packages/transport/src/ring/waiter-list.ts', 'rings')
const ready = mutantsOf('packages/transport/src/ring/ready-list.ts', 'rings')
const work = mutantsOf('packages/transport/src/ring/work-queue.ts', 'rings')
const doorbell = mutantsOf('packages/transport/src/ring/doorbell.ts', 'rings')

/** Faults in queues that threads share without a lock. */
export const ringMutants = [
  completions(
    'an entry is published before its fields are written',
    'i32[entry + (CQE_REQUEST_ID >> 2)] = requestId',
    'Atomics.store(i32, entry + (CQE_TURN >> 2), turnOf(position, mask))\n  i32[entry + (CQE_REQUEST_ID >> 2)] = requestId',
  ),
  completions(
    'a missing fence: the turn is stored without order',
    'Atomics.store(i32, entry + (CQE_TURN >> 2), turnOf(position, mask))',
    'i32[entry + (CQE_TURN >> 2)] = turnOf(position, mask)',
  ),
  completions(
    'a missing fence: fields are read without having acquired the turn',
    'Atomics.load(i32, entry >>> 2) // before',
    '// before',
  ),
  completions(
    'a missing fence: entries are given back without order',
    'Atomics.store(i32, (cq + CQ_RELEASED) >>> 2, polled)',
    'i32[(cq + CQ_RELEASED) >>> 2] = polled',
  ),
  completions(
    'one entry too many is claimed',
    'if ((position - released) >>> 0 <= mask) {',
    'if ((position - released) >>> 0 <= mask + 1) {',
  ),
  completions(
    'two producers get one entry',
    'seen = Atomics.compareExchange(i32, claimed, position, (position + 1) | 0)',
    'Atomics.store(i32, claimed, (position + 1) | 0)\n      seen = position',
  ),
  completions(
    'an old guess is taken for a full ring',
    'if (seen === position) return -1',
    'return -1',
  ),
  completions(
    'an entry is given back before it is read',
    'if ((polled & (RELEASE_BATCH - 1)) === 0) Atomics.store(i32, (cq + CQ_RELEASED) >>> 2, polled)',
    'if ((polled & (RELEASE_BATCH - 1)) === 0) Atomics.store(i32, (cq + CQ_RELEASED) >>> 2, polled + 1)',
  ),
  completions(
    'entries are never given back',
    'if ((polled & (RELEASE_BATCH - 1)) === 0) Atomics',
    'if ((polled & (RELEASE_BATCH - 1)) === 9) Atomics',
  ),
  completions(
    'an entry of the lap before counts as complete',
    'if (i32[entry >>> 2] !== turn) return 0',
    'if (i32[entry >>> 2] === 0) return 0',
  ),
  messages(
    'there is no room for the terminator',
    'if (!this.#hasRoom(skipped + lines + 1)) return 0',
    'if (!this.#hasRoom(skipped + lines)) return 0',
  ),
  messages(
    'a terminator in advance goes to a line that may still be read',
    'const free = ((later - this.#consumed) | 0) < this.#lines',
    'const free = ((later - this.#consumed) | 0) <= this.#lines',
  ),
  messages(
    'a terminator is taken for written when a longer message came',
    'const terminator = end === this.#ended ? 0 : this.#addressOf(end)',
    'const terminator = ((end - this.#ended) | 0) <= 0 ? 0 : this.#addressOf(end)',
  ),
  messages(
    'a skip leaves the first line as it was',
    'this.#i32[this.#firstLine >>> 2] = 0 // the',
    '// the',
  ),
  messages(
    'a missing fence: the skip is stored without order',
    'Atomics.store(this.#i32, (this.#firstLine + (position << LINE_SHIFT)) >>> 2, SKIP)',
    'this.#i32[(this.#firstLine + (position << LINE_SHIFT)) >>> 2] = SKIP',
  ),
  messages(
    'a missing fence: lines are counted without order',
    'Atomics.store(this.#i32, this.#consumedIndex, this.#consumed)',
    'this.#i32[this.#consumedIndex] = this.#consumed',
  ),
  messages(
    'a message that wraps is written over the end',
    'const skipped = position + lines > this.#lines ? this.#lines - position : 0',
    'const skipped = position + lines > this.#lines + 1 ? this.#lines - position : 0',
  ),
  messages(
    'no look at the room after the wish',
    'this.#consumed = Atomics.load(this.#i32, this.#consumedIndex) // the last look, after the wish\n    return ((this.#produced - this.#consumed) | 0) + lines <= this.#lines',
    'return false',
    'a sender looks twice before it sleeps, and its wish from the first time stands or rings',
  ),
  messages(
    'lines are given back when the ring is all but empty',
    '>= this.#lines >>> 2) {',
    '>= this.#lines) {',
  ),
  messages(
    'one line more is given back than was read',
    'this.#published = this.#consumed\n      // The release',
    'this.#published = this.#consumed\n      this.#consumed++\n      // The release',
  ),
  messages(
    'a sender that waits for room is not rung',
    'ringDoorbell(this.#i32, this.#doorbell)',
    '',
  ),
  messages('a wish for room stays for ever', 'Atomics.store(this.#i32, wanted, 0)', ''),
  messages(
    'the long last line of a message is not given back',
    'this.#advance((MESSAGE_HEADER_BYTES + payloadBytes + LINE_BYTES - 1) >>> LINE_SHIFT)',
    'this.#advance((MESSAGE_HEADER_BYTES + payloadBytes) >>> LINE_SHIFT || 1)',
  ),
  receives(
    'two takers get one receive',
    'const seen = Atomics.compareExchange(i32, takenIndex, taken, (taken + 1) | 0)',
    'Atomics.store(i32, takenIndex, (taken + 1) | 0)\n    const seen = taken',
  ),
  receives(
    'a receive is read after it was given back',
    'copyEntry(i32, entryAt(i32, ring, taken, mask) >>> 2, into)\n    // Whoever moves `taken` owns the receive; the copy made before is then known to be whole.\n    const seen = Atomics.compareExchange(i32, takenIndex, taken, (taken + 1) | 0)\n    if (seen === taken) return',
    'const seen = Atomics.compareExchange(i32, takenIndex, taken, (taken + 1) | 0)\n    Atomics.load(i32, takenIndex)\n    if (seen === taken) copyEntry(i32, entryAt(i32, ring, taken, mask) >>> 2, into)\n    if (seen === taken) return',
  ),
  receives(
    'one receive too many is posted',
    'if (room >>> 0 > mask && !hasRoomNow(i32, ring, posted, mask)) return 0',
    'if (room >>> 0 > mask + 1 && !hasRoomNow(i32, ring, posted, mask)) return 0',
  ),
  receives(
    'a missing fence: a receive is counted without order',
    'Atomics.store(i32, index, (i32[index]! + 1) | 0)',
    'i32[index] = (i32[index]! + 1) | 0',
  ),
  receives(
    'the limit is announced one receive late',
    'return (posted - taken) >>> 0 > limit ? TAKEN : TAKEN_AT_LIMIT',
    'return (posted - taken) >>> 0 >= limit ? TAKEN : TAKEN_AT_LIMIT',
  ),
  receives(
    'segments behind the first are not taken along',
    'if (segments > 1) copyFurtherSegments(i32, entry, into, segments)',
    'if (segments > 2) copyFurtherSegments(i32, entry, into, segments)',
  ),
  receives('an empty ring gives a receive', 'if (taken === posted) return NOT_TAKEN', ''),
  waiters(
    'a second waiter is not linked to the first',
    'if (tail !== 0) i32[(tail + QP_WAIT_NEXT) >>> 2] = queuePair',
    'if (tail !== 0) i32[(tail + QP_WAIT_NEXT) >>> 2] = 0',
  ),
  waiters(
    'a queue pair waits twice',
    'if (i32[(queuePair + QP_WAITING) >>> 2] === 0) {',
    'if (i32[(queuePair + QP_WAITING) >>> 2] !== 2) {',
  ),
  waiters(
    'the last waiter leaves the end behind',
    'if (next === 0) i32[(ring + RECEIVE_WAIT_TAIL) >>> 2] = before',
    '',
  ),
  waiters(
    'who was woken is taken for waiting',
    'i32[(queuePair + QP_WAITING) >>> 2] = 0\n  return',
    'return',
  ),
  waiters(
    'who waits in the middle takes those before along',
    'if (before !== 0) i32[(before + QP_WAIT_NEXT) >>> 2] = next\n  else',
    '',
  ),
  ready(
    'a queue pair is pushed twice',
    'if (Atomics.exchange(i32, (queuePair + QP_READY) >>> 2, 1) !== 0) return',
    'Atomics.exchange(i32, (queuePair + QP_READY) >>> 2, 1)',
  ),
  ready(
    'a push forgets what another pushed meanwhile',
    'while (Atomics.compareExchange(i32, head, top, queuePair | 0) !== top)',
    'while (Atomics.exchange(i32, head, queuePair | 0) === -1)',
  ),
  ready(
    'the mark is cleared before the link is read',
    'const next = i32[(queuePair + QP_READY_NEXT) >>> 2]! >>> 0\n  Atomics.store(i32, (queuePair + QP_READY) >>> 2, 0)',
    'Atomics.store(i32, (queuePair + QP_READY) >>> 2, 0)\n  Atomics.load(i32, (queuePair + QP_READY) >>> 2)\n  const next = i32[(queuePair + QP_READY_NEXT) >>> 2]! >>> 0',
  ),
  ready(
    'the last pushed comes first',
    'i32[link] = first\n    first = from',
    'if (first === 0) first = from',
  ),
  ready(
    'the mark is never cleared',
    'Atomics.store(i32, (queuePair + QP_READY) >>> 2, 0) //',
    '//',
  ),
  work(
    'one request too many is posted',
    'return (posted - retired) >>> 0 <= i32[(queuePair + QP_SEND_MASK) >>> 2]!',
    'return (posted - retired) >>> 0 <= i32[(queuePair + QP_SEND_MASK) >>> 2]! + 1',
  ),
  work(
    'the request that was polled stays in the queue',
    'i32[(queuePair + QP_SEND_RETIRED) >>> 2] = place + 1',
    'i32[(queuePair + QP_SEND_RETIRED) >>> 2] = place',
  ),
  work(
    'room is counted without what wrapped',
    'i32[(queuePair + QP_SEND_MASK) >>> 2]! + 1 - (used >>> 0)',
    'i32[(queuePair + QP_SEND_MASK) >>> 2]! - (used >>> 0)',
  ),
  doorbell(
    'a bell rings whether or not its owner sleeps',
    'if (Atomics.load(i32, (address >>> 2) + 1) !== 0) wakeOwner',
    'if (Atomics.load(i32, (address >>> 2) + 1) !== 9) wakeOwner',
  ),
  doorbell('a bell that rings leaves no trace', 'Atomics.add(i32, address >>> 2, 1)', ''),
]
