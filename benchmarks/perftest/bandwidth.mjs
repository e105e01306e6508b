import { Post, Send } from '@commworld/transport'
import { RECEIVES } from './endpoint.mjs'

/** Requests before those that are measured. */
const warmUp = (bytes) => (bytes <= 65536 ? 1000 : 20)
/** Of so many requests one is signaled: perftest's CQ moderation, bounded by the depth. */
const MODERATION = 100

/** When requests of one length were posted and complete, in microseconds. */
export function measureBandwidth(endpoint, name, bytes, options) {
  run(endpoint, name, bytes, warmUp(bytes), options)
  return run(endpoint, name, bytes, options.iterations, options)
}

function run(endpoint, name, bytes, count, options) {
  const operation = name.replace('_bw', '')
  const receives = operation === 'send' && endpoint.side === 1
  if (receives) {
    for (let posted = 0; posted < Math.min(count, RECEIVES); posted++) endpoint.postReceive(bytes)
  }
  endpoint.meet()
  const times = { posted: new Float64Array(count), completed: new Float64Array(count) }
  if (endpoint.side === 0) send(endpoint, operation, bytes, count, options, times)
  else if (receives) receive(endpoint, bytes, count)
  endpoint.meet()
  return times
}

function send(endpoint, operation, bytes, count, { depth, inlineBytes }, times) {
  const { sendQueue } = endpoint
  const moderation = Math.min(MODERATION, depth)
  const inline = bytes <= inlineBytes
  let posted = 0
  let completed = 0
  while (completed < count) {
    while (posted < count && posted - completed < depth) {
      const last = (posted + 1) % moderation === 0 || posted === count - 1
      times.posted[posted] = performance.now() * 1000
      const outcome = endpoint.post(operation, bytes, inline, last ? Send.signaled : Send.none)
      if (outcome === Post.queueFull) break
      posted++
    }
    endpoint.next(sendQueue)
    const done = Math.min(count, completed + moderation)
    times.completed.fill(performance.now() * 1000, completed, done)
    completed = done
  }
}

function receive(endpoint, bytes, count) {
  let reposts = Math.max(0, count - RECEIVES)
  for (let received = 0; received < count; received++) {
    endpoint.next(endpoint.receiveQueue)
    if (reposts-- > 0) endpoint.postReceive(bytes)
  }
}
