import { mutantsOf } from '../mutant.js'

const waiting = mutantsOf('packages/transport/src/hca/requester/receiver-not-ready.ts', 'hca')
const passing = mutantsOf('packages/transport/src/hca/requester/receiver-not-ready.ts', 'verbs')
const requester = mutantsOf('packages/transport/src/hca/requester/requester.ts', 'verbs')
const progress = mutantsOf('packages/transport/src/hca/requester/progress.ts', 'verbs')
const responder = mutantsOf('packages/transport/src/hca/responder/responder.ts', 'verbs')
const delivery = mutantsOf('packages/transport/src/hca/responder/deliver.ts', 'hca')
const filling = mutantsOf('packages/transport/src/hca/responder/fill-receive.ts', 'verbs')
const regions = mutantsOf('packages/transport/src/hca/memory/region-table.ts', 'verbs')
const post = mutantsOf('packages/transport/src/hca/requester/post.ts', 'hca')

/** Faults in the flow of requests through the channel adapter. */
export const hcaMutants = [
  waiting(
    'a lost wakeup: no second look at the receives after joining the waiters',
    'if (listening && !hasReceive(i32, ring)) return RECEIVER_NOT_READY',
    'if (listening) return RECEIVER_NOT_READY',
  ),
  waiting(
    'a sender joins the waiters after its second look',
    'addWaiter(i32, ring, queuePair)\n  // After joining: posters post, then look for waiters; a peer that fails stores its state, then looks.\n  const listening = receives(Atomics.load(i32, (peer + QP_STATE) >>> 2))\n  if (listening && !hasReceive(i32, ring)) return RECEIVER_NOT_READY',
    'const listening = receives(Atomics.load(i32, (peer + QP_STATE) >>> 2))\n  const nothing = !hasReceive(i32, ring)\n  addWaiter(i32, ring, queuePair)\n  if (listening && nothing) return RECEIVER_NOT_READY',
  ),
  waiting(
    'the owner of a woken queue pair is not rung',
    'const block = wakeWaiter(hca.i32, ring)\n  if (block !== 0 && block !== hca.block) ringDoorbell(hca.i32, block + HCA_DOORBELL)',
    'wakeWaiter(hca.i32, ring)',
  ),
  passing(
    'a waking that is not needed is not passed on',
    'if (hasWaiter(i32, ring) && hasReceive(i32, ring)) wakeSender(hca, ring)',
    '',
  ),
  waiting(
    'who waits for a peer that has failed waits for ever',
    'const listening = receives(Atomics.load(i32, (peer + QP_STATE) >>> 2))',
    'const listening = true',
  ),
  progress(
    'requests that have become ready are looked at once',
    'while (hasReady(hca.i32, hca.block)) {',
    'for (let once = hasReady(hca.i32, hca.block); once; once = false) {',
  ),
  post('a receive that is posted wakes nobody', 'wakeSender(hca, ring)\n', '\n'),
  post(
    'a receive is published before it is written',
    'i32[(entry + RECEIVE_REQUEST_ID) >>> 2] = requestId\n  i32[(entry + RECEIVE_SEGMENT_COUNT) >>> 2] = segments\n  i32[(entry + RECEIVE_ROOM_BYTES) >>> 2] = roomBytes\n  publishReceive(i32, ring)',
    'publishReceive(i32, ring)\n  Atomics.load(i32, entry >>> 2)\n  i32[(entry + RECEIVE_REQUEST_ID) >>> 2] = requestId\n  i32[(entry + RECEIVE_SEGMENT_COUNT) >>> 2] = segments\n  i32[(entry + RECEIVE_ROOM_BYTES) >>> 2] = roomBytes',
  ),
  delivery(
    'the owner of a completion is not rung',
    'if (block !== hca.block) ringDoorbell(hca.i32, block + HCA_DOORBELL)',
    '',
  ),
  requester(
    'requests behind one that waits overtake it',
    'if (outcome === RECEIVER_NOT_READY) return\n    completeSend',
    'if (outcome === RECEIVER_NOT_READY) {\n      advanceSend(i32, queuePair)\n      continue\n    }\n    completeSend',
  ),
  requester(
    'a request that failed does not fail the queue pair',
    'enterError(hca, queuePair, status, id, hca.cause)',
    '',
  ),
  requester(
    'flushed requests come before the one that failed',
    'pushSendCompletion(hca, queuePair, entry, status)\n  const id = i32[(entry + WQE_REQUEST_ID) >>> 2]!',
    'const id = i32[(entry + WQE_REQUEST_ID) >>> 2]!\n  queueMicrotask(() => pushSendCompletion(hca, queuePair, entry, status))',
  ),
  requester(
    'a completion that was not asked for',
    'return i32[(queuePair + QP_SIGNAL_ALL) >>> 2] !== 0',
    'return true',
  ),
  requester(
    'local keys are not checked',
    'if (failed !== 0) return failed\n  }\n  return 0',
    '}\n  return 0',
  ),
  responder(
    'a message longer than its receive is taken in',
    'if (bytes > taken[2]!) {',
    'if (bytes > taken[2]! + 64) {',
  ),
  responder(
    'writes need no right',
    'function writeRemote(hca: Hca, peer: number, entry: number): number {\n  if (!grants(hca, peer, REMOTE_WRITE)) return refuse(hca, peer)',
    'function writeRemote(hca: Hca, peer: number, entry: number): number {',
  ),
  responder(
    'reads check the right to write',
    'const failed = checkRemote(hca, peer, entry, bytes, REMOTE_READ)',
    'const failed = checkRemote(hca, peer, entry, bytes, REMOTE_WRITE)',
  ),
  responder(
    'a write with an immediate takes no receive',
    'const receive = takeOrWait(hca, queuePair, peer, ring)\n  if (receive !== SUCCESS) return receive\n  const failed = placeWritten',
    'const failed = placeWritten',
  ),
  responder(
    'an atomic at an odd address is carried out',
    'if (hca.u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]! % ATOMIC_BYTES !== 0) {',
    'if (hca.u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]! % ATOMIC_BYTES > 6) {',
  ),
  filling(
    'a message is scattered from its beginning',
    'gather(hca, entry, moved, part, address)',
    'gather(hca, entry, 0, part, address)',
  ),
  filling(
    'receives may lie in memory that is not to be written',
    'if (checkRegion(hca, region, domain, address, part, LOCAL_WRITE) !== 0) return false',
    'if (checkRegion(hca, region, domain, address, part, 0) !== 0) return false',
  ),
  regions(
    'one byte behind a region belongs to it',
    'bytes > length || address - first > length - bytes) return 2',
    'address - first > length - bytes + 1) return 2',
  ),
  regions(
    'a byte before a region belongs to it',
    'if (address < first ||',
    'if (address + 1 < first ||',
  ),
  regions(
    'regions of another protection domain may be used',
    'if (u32[base + (REGION_DOMAIN >> 2)] !== domain) return 3',
    '',
  ),
  regions(
    'one right stands for all',
    'return (u32[base + (REGION_ACCESS >> 2)]! & right) === right ? 0 : 4',
    'return (u32[base + (REGION_ACCESS >> 2)]! & right) !== 0 || right === 0 ? 0 : 4',
    'requests ask for one right at a time',
  ),
]
