import { RECEIVES } from './endpoint.mjs'

/** Rounds before those that are measured, of short messages and of long ones; few where few are measured. */
const warmUp = (bytes, iterations) => Math.min(bytes <= 65536 ? 2000 : 20, 10 * iterations)

/** Times of posts of one length, in microseconds; the passive side gives none. */
export function measureLatency(endpoint, name, bytes, options) {
  const loop = loops[name]
  const rounds = warmUp(bytes, options.iterations)
  loop(endpoint, bytes, rounds, options, new Float64Array(rounds + 1))
  endpoint.meet()
  const times = new Float64Array(options.iterations + 1)
  loop(endpoint, bytes, options.iterations, options, times)
  endpoint.meet()
  return times
}

const loops = { send_lat: pingPong, write_lat: writePingPong, read_lat: read, atomic_lat: add }

function pingPong(endpoint, bytes, count, { inlineBytes }, times) {
  const { sendQueue, receiveQueue, side } = endpoint
  const inline = bytes <= inlineBytes
  for (let posted = 0; posted < Math.min(count, RECEIVES); posted++) endpoint.postReceive(bytes)
  endpoint.meet()
  let reposts = Math.max(0, count - RECEIVES)
  for (let round = 0; round < count; round++) {
    if (side === 0) {
      times[round] = now()
      endpoint.post('send', bytes, inline)
      endpoint.next(sendQueue)
    }
    endpoint.next(receiveQueue)
    if (reposts-- > 0) endpoint.postReceive(bytes)
    if (side === 1) {
      endpoint.post('send', bytes, inline)
      endpoint.next(sendQueue)
    }
  }
  times[count] = now()
}

/** As ib_write_lat: the last byte is polled. Nothing else of the message is looked at before its end. */
function writePingPong(endpoint, bytes, count, _options, times) {
  const { sendQueue, side } = endpoint
  const { u8 } = endpoint.memory
  const lastOut = endpoint.address + bytes - 1
  const lastIn = endpoint.target + bytes - 1
  u8[lastIn] = 0
  endpoint.meet()
  for (let round = 0; round < count; round++) {
    const mark = (round % 255) + 1
    if (side === 1) while (Atomics.load(u8, lastIn) !== mark);
    u8[lastOut] = mark
    times[round] = now()
    endpoint.post('write', bytes, false)
    endpoint.next(sendQueue)
    if (side === 0) while (Atomics.load(u8, lastIn) !== mark);
  }
  times[count] = now()
  endpoint.meet()
}

function read(endpoint, bytes, count, _options, times) {
  if (endpoint.side === 1) return
  for (let round = 0; round < count; round++) {
    times[round] = now()
    endpoint.post('read', bytes, false)
    endpoint.next(endpoint.sendQueue)
  }
  times[count] = now()
}

function add(endpoint, bytes, count, _options, times) {
  if (endpoint.side === 1) return
  const { address, region, peer, queuePair } = endpoint
  const request = {
    ...{ opcode: 'fetchAndAdd', operand: 1n, signaled: true },
    segments: [{ address, bytes, localKey: region.localKey }],
    ...{ remoteAddress: peer[4] >>> 0, remoteKey: peer[3] },
  }
  for (let round = 0; round < count; round++) {
    times[round] = now()
    queuePair.postSend(request)
    endpoint.next(endpoint.sendQueue)
  }
  times[count] = now()
}

function now() {
  return performance.now() * 1000
}
