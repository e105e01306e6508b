import { mutantsOf } from '../mutant.js'

const inbox = mutantsOf('packages/mpi/src/p2p/inbox.ts', 'messages')
const outbox = mutantsOf('packages/mpi/src/p2p/outbox.ts', 'messages')
const fetch = mutantsOf('packages/mpi/src/p2p/fetch.ts', 'messages')
const receive = mutantsOf('packages/mpi/src/p2p/memory-receive.ts', 'messages')
const exchange = mutantsOf('packages/mpi/src/p2p/exchange-request.ts', 'messages')
const completions = mutantsOf('packages/mpi/src/p2p/completions.ts', 'messages')
const endpoint = mutantsOf('packages/mpi/src/device/endpoint.ts', 'messages')
const arrivals = mutantsOf('packages/mpi/src/device/pending-arrivals.ts', 'messages')

/** Faults in how a message gets from one rank to another: eager, rendezvous, credit, completion. */
export const messageMutants = [
  inbox(
    'the last byte of an unexpected message is not kept',
    'this.#memory.kernels.copy(kept, address + MESSAGE_HEADER_BYTES, bytes)',
    'this.#memory.kernels.copy(kept, address + MESSAGE_HEADER_BYTES, bytes - 1)',
  ),
  inbox(
    'what is kept of an unexpected message is never given back',
    'if (message.address !== 0) this.#endpoint.staging.free(message.address)',
    '',
  ),
  inbox(
    'credit of unexpected messages is lost',
    'this.#repay(peer, bytes)\n    } else {\n      this.#fetch(receive, peer, message',
    '} else {\n      this.#fetch(receive, peer, message',
  ),
  inbox(
    'credit of expected messages is lost',
    'this.#repay(peer, bytes)\n    } else {\n      this.#keep',
    '} else {\n      this.#keep',
  ),
  inbox('credit is given back twice', 'peer.owed = 0', 'peer.owed = peer.owed >>> 1'),
  inbox(
    'an empty or refused message by rendezvous is not answered',
    'this.#endpoint.answer(peer, makeHead(FINISH, 0), request, 0)',
    '',
  ),
  inbox(
    'a message that waits to be fetched forgets which send it is',
    'address, key, request, false)',
    'address, key, 0, false)',
  ),
  inbox(
    'a rendezvous does not find the receive that waits for it',
    'const request = i32[word + REQUEST]!\n    const receive = this.posted.take(context, peer.rank, tag)',
    'const request = i32[word + REQUEST]!\n    const receive = this.posted.take(context, peer.rank, tag + 1)',
  ),
  inbox(
    'a receive that has matched can be taken back',
    'if (receive.matched) return false\n    this.posted.remove(receive)',
    'if (!receive.matched) this.posted.remove(receive)',
    'on the direct fabric a receive that has matched is complete in the same step, and what is complete is not cancelled',
  ),
  inbox(
    'a receive is posted though its message is there',
    'if (message === undefined) this.posted.append(receive)',
    'if (message === undefined || message.bytes > 2000) this.posted.append(receive)',
  ),
  outbox(
    'credit that comes back replaces what is left',
    'peer.credit += bytes',
    'peer.credit = bytes',
  ),
  outbox(
    'a message that waits for room is not counted in full',
    'peer.credit -= bytes + EAGER_OVERHEAD_BYTES\n    this.#count(peer, bytes)\n    this.#endpoint.send',
    'peer.credit -= bytes\n    this.#count(peer, bytes)\n    this.#endpoint.send',
  ),
  outbox(
    'nobody looks at the credit',
    'bytes <= this.#eagerLimitBytes && peer.credit >= bytes',
    'bytes <= this.#eagerLimitBytes',
  ),
  outbox(
    'a message overtakes those that wait for room',
    '|| peer.backlog.length !== 0) return 0',
    ') return 0',
    'when ranks share a thread room comes back in the own progress alone, where those that wait are served first',
  ),
  outbox(
    'a message of the eager limit goes by rendezvous',
    'bytes <= this.#eagerLimitBytes && peer',
    'bytes < this.#eagerLimitBytes && peer',
    'both ways deliver the same; which one is taken is a matter of speed',
  ),
  outbox(
    'the number of a send is used again while it is under way',
    'this.#freeIds.pop() ?? this.#awaiting.length',
    'this.#freeIds.at(-1) ?? this.#awaiting.length',
  ),
  outbox(
    'staging of a send is never given back',
    'if (staged !== 0) this.#endpoint.staging.free(staged)\n    if (!request.done)',
    'if (!request.done)',
  ),
  outbox(
    'a synchronous send is complete before its receive',
    'if (mode !== SYNCHRONOUS && this.sendEager',
    'if (this.sendEager',
  ),
  outbox('a buffered send waits for its receive', 'if (mode === BUFFERED) request.complete()', ''),
  outbox(
    'a buffered send reads the array of the program later',
    'let address = buffered > 0 ? 0 : payload.address',
    'let address = payload.address',
  ),
  outbox('room of buffered sends is not given back', 'this.#bufferedBytes -= buffered\n', '\n'),
  outbox(
    'a rendezvous says where the payload of another send lies',
    'id, address, key)',
    'id, address + (bytes > 8192 ? 8 : 0), key)',
  ),
  fetch(
    'all pieces of a long message are read from its beginning',
    'const from = fetch.address + fetch.offset',
    'const from = fetch.address',
  ),
  fetch(
    'the last piece is as long as the others',
    'fetch.pieceBytes = Math.min(rest, PIECE_BYTES)',
    'fetch.pieceBytes = PIECE_BYTES',
  ),
  fetch(
    'a last piece that is short is left out',
    'if (rest > 0) {',
    'if (rest > PIECE_BYTES >> 1) {',
  ),
  fetch(
    'staging of a fetch is never given back',
    'if (staged !== 0) this.#endpoint.staging.free(staged)\n    this.#answer(fetch',
    'this.#answer(fetch',
  ),
  fetch(
    'the sender of a staged message is not told',
    'this.#answer(fetch.peer, fetch.request)\n',
    '\n',
  ),
  fetch(
    'the sender of a message that is read into place is told twice',
    'this.#answer(peer, request)\n      receive.complete()',
    'this.#answer(peer, request)\n      this.#answer(peer, request)\n      receive.complete()',
  ),
  receive(
    'a longer message is taken in',
    'if (this.messageKind === this.kind && this.messageBytes <= this.bytesMax) return undefined',
    'if (this.messageKind === this.kind) return undefined',
  ),
  receive(
    'elements of another kind are taken in',
    'if (this.messageKind === this.kind && this',
    'if (this',
  ),
  receive(
    'memory stays owned by a receive that is complete',
    'this.process.ownership.removeReceive(this)',
    '',
  ),
  receive(
    'a piece is put at the beginning',
    'byteOffset + offset, bytes).set',
    'byteOffset, bytes).set',
  ),
  exchange(
    'an exchange is complete when half of it is',
    'if (send.done && receive.done) this.#end()',
    'if ((send.done || receive.done) && !this.done) this.#end()',
  ),
  completions(
    'a request is delivered as often as it is asked for',
    'request.delivered = true\n',
    '\n',
  ),
  completions(
    'testAll is content with one',
    'return list.every((request) => request.done) && list[0]!',
    'return list.some((request) => request.done) && list[0]!',
  ),
  endpoint(
    'the tag of the message before is sent again',
    'i32[word + TAG] = tag\n    i32[word + BYTES] = bytes\n    i32[word + SOURCE]',
    'i32[word + BYTES] = bytes\n    i32[word + SOURCE]',
  ),
  endpoint(
    'the last byte is not sent',
    'this.#postSend(peer, at, MESSAGE_HEADER_BYTES + payloadBytes)',
    'this.#postSend(peer, at, MESSAGE_HEADER_BYTES + payloadBytes - (payloadBytes > 64 ? 1 : 0))',
  ),
  endpoint(
    'a message of the library overtakes those that wait',
    'if (peer.backlog.length === 0 && this.reserve(peer, 0) !== 0) {',
    'if (this.reserve(peer, 0) !== 0) {',
    'when ranks share a thread room comes back in the own progress alone, where those that wait are served first',
  ),
  endpoint(
    'one message of those that waited is lost',
    'peer.backlog.splice(0, sent)',
    'peer.backlog.splice(0, sent > 1 ? sent + 1 : sent)',
  ),
  endpoint('messages that wait for room are forgotten', 'this.#backlogged.add(peer)', ''),
  endpoint('buffers of sends are used once', 'this.#sendBuffers.give(workRequestId)', ''),
  endpoint('receives are posted once', 'this.#postReceive(buffer)\n    if (++peer', 'if (++peer'),
  endpoint(
    'a buffer is posted before the message in it is taken',
    'this.#take(headType(this.#i32[(address >>> 2) + HEAD]!), address, peer)\n    this.#postReceive(buffer)',
    'this.#postReceive(buffer)\n    this.#take(headType(this.#i32[(address >>> 2) + HEAD]!), address, peer)',
    'ranks that share a thread take in a message at one go, so that nobody can write to the buffer in between',
  ),
  arrivals(
    'the newest message of a sender lands first',
    'const buffer = buffers.shift()!',
    'const buffer = buffers.pop()!',
  ),
  arrivals(
    'messages behind the first of a sender are lost',
    'if (buffers.length > 0) this.#bySender.set(peer, buffers)',
    '',
  ),
]
