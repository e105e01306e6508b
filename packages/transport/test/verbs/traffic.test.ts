import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { QueuePair } from '../../src/verbs/queue-pair.js'
import { Post, Send } from '../../src/verbs/work-request.js'
import type { Host } from './pair.js'
import { hosts, pollAll, readBytes } from './pair.js'

const HOSTS = 3
const ID_BYTES = 4

/** Where things lie in a host's buffer: a slot each peer writes, one for READs, one to send from. */
const writtenBy = (peer: number): number => peer * 16
const READ_INTO = 256
const SEND_FROM = 512
const RECEIVE_INTO = 1024

interface Request {
  kind: 'send' | 'write' | 'read'
  id: number
}

/** What one host has asked of another, and how far it got. */
interface Path {
  from: number
  to: number
  queuePair: QueuePair
  requests: Request[]
  /** Ids of sends, in the order they arrived. */
  arrived: number[]
  /** Ids of requests, in the order they completed. */
  completed: number[]
}

/** Random traffic between hosts on one thread, and what must come of it. */
class Traffic {
  readonly hosts: Host[] = hosts(HOSTS, { sendEntries: 64, signalAll: true }, 64)
  readonly paths: Path[] = []
  readonly posted: number[] = Array.from({ length: HOSTS }, () => 0)
  readonly received: number[] = Array.from({ length: HOSTS }, () => 0)
  #nextId = 1

  constructor() {
    for (let from = 0; from < HOSTS; from++) {
      for (let to = 0; to < HOSTS; to++) {
        const queuePair = this.hosts[from]!.device.connect(to)!
        this.paths.push({ from, to, queuePair, requests: [], arrived: [], completed: [] })
      }
    }
  }

  postReceive(index: number): void {
    const { srq, buffer } = this.hosts[index]!
    const place = this.posted[index]!++
    const address = buffer.address + RECEIVE_INTO + place * ID_BYTES
    expect(srq.receive(address, ID_BYTES, buffer.localKey, place)).toBe(Post.ok)
  }

  request(kind: Request['kind'], path: Path): void {
    const { memory, buffer } = this.hosts[path.from]!
    const peer = this.hosts[path.to]!.buffer
    const id = this.#nextId++
    const from = buffer.address + SEND_FROM
    memory.i32[from >> 2] = id
    const remote = peer.address + writtenBy(path.from)
    const { queuePair } = path
    // Only inline data may be overwritten at once: the request may have to wait.
    const code =
      kind === 'send'
        ? queuePair.sendInline(from, ID_BYTES, 0, 0, id, Send.none)
        : kind === 'read'
          ? this.#read(path, id, remote)
          : this.#write(path, id, remote)
    expect(code).toBe(Post.ok)
    path.requests.push({ kind, id })
  }

  #write(path: Path, id: number, remoteAddress: number): number {
    const { address } = this.hosts[path.from]!.buffer
    const { remoteKey } = this.hosts[path.to]!.buffer
    const segments = [{ address: address + SEND_FROM, bytes: ID_BYTES, localKey: 0 }]
    const opcode = 'rdmaWrite'
    const request = {
      opcode,
      workRequestId: id,
      segments,
      remoteAddress,
      remoteKey,
      inline: true,
    } as const
    return path.queuePair.postSend(request) === 'ok' ? Post.ok : Post.queueFull
  }

  #read(path: Path, id: number, remote: number): number {
    const { address, localKey } = this.hosts[path.from]!.buffer
    const { remoteKey } = this.hosts[path.to]!.buffer
    const into = address + READ_INTO + path.to * ID_BYTES
    return path.queuePair.read(into, ID_BYTES, localKey, remote, remoteKey, id, Send.none)
  }

  poll(index: number): void {
    const { cq, memory, buffer } = this.hosts[index]!
    for (const completion of pollAll(cq)) {
      expect(completion.status).toBe(0)
      const { workRequestId, source } = completion
      if (completion.isReceive) {
        // One shared queue gives its receives in the order they were posted.
        expect(workRequestId).toBe(this.received[index]!++)
        const at = buffer.address + RECEIVE_INTO + workRequestId * ID_BYTES
        this.path(source, index).arrived.push(memory.i32[at >> 2]!)
      } else {
        this.#ownerOf(workRequestId).completed.push(workRequestId)
      }
    }
  }

  path(from: number, to: number): Path {
    return this.paths[from * HOSTS + to]!
  }

  #ownerOf(id: number): Path {
    return this.paths.find((path) => path.requests.some((request) => request.id === id))!
  }

  /** Polls until nothing happens any more, then compares with what must be so. */
  check(): void {
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < HOSTS; index++) this.poll(index)
    }
    for (let to = 0; to < HOSTS; to++) this.#checkNothingIdles(to)
    for (const path of this.paths) this.#checkPath(path)
  }

  /** No receive lies idle beside a send that waits. */
  #checkNothingIdles(to: number): void {
    const waits = this.paths.some((path) => path.to === to && next(path)?.kind === 'send')
    expect(waits && this.hosts[to]!.srq.available > 0).toBe(false)
  }

  #checkPath(path: Path): void {
    const done = path.requests.slice(0, path.completed.length)
    expect(path.completed).toEqual(done.map(({ id }) => id))
    expect(path.arrived).toEqual(done.filter(({ kind }) => kind === 'send').map(({ id }) => id))
    const rest = path.requests.slice(path.completed.length)
    expect(rest[0]?.kind ?? 'send').toBe('send') // only a send can wait
    const writes = done.filter(({ kind }) => kind === 'write')
    const { memory, buffer } = this.hosts[path.to]!
    const written = memory.i32[(buffer.address + writtenBy(path.from)) >> 2]
    expect(written).toBe(writes.at(-1)?.id ?? 0)
    const lastRead = done.findLastIndex(({ kind }) => kind === 'read')
    if (lastRead < 0) return
    const before = done.slice(0, lastRead).filter(({ kind }) => kind === 'write')
    const into = this.hosts[path.from]!.buffer.address + READ_INTO + path.to * ID_BYTES
    expect(memory.i32[into >> 2]).toBe(before.at(-1)?.id ?? 0)
  }
}

function next(path: Path): Request | undefined {
  return path.requests[path.completed.length]
}

const command = fc.oneof(
  fc.record({ kind: fc.constant('receive' as const), host: fc.nat(HOSTS - 1) }),
  fc.record({ kind: fc.constant('poll' as const), host: fc.nat(HOSTS - 1) }),
  fc.record({
    kind: fc.constantFrom('send' as const, 'write' as const, 'read' as const),
    path: fc.nat(HOSTS * HOSTS - 1),
  }),
)

describe('traffic', () => {
  test('keeps order, loses nothing and idles nowhere for any sequence of posts', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const traffic = new Traffic()
        for (const step of commands) {
          if (step.kind === 'receive') traffic.postReceive(step.host)
          else if (step.kind === 'poll') traffic.poll(step.host)
          else traffic.request(step.kind, traffic.paths[step.path]!)
        }
        traffic.check()
      }),
      { numRuns: 300 },
    )
  })

  test('gathers and scatters to the concatenation, whatever the segments', () => {
    const lengths = fc.array(fc.nat(9), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(lengths, lengths, fc.boolean(), (sendLengths, receiveLengths, inline) => {
        const [a, b] = hosts(2, { segmentsMax: 4 }) as [Host, Host]
        const queuePair = a.device.connect(1)!
        const total = sendLengths.reduce((sum, bytes) => sum + bytes, 0)
        const room = receiveLengths.reduce((sum, bytes) => sum + bytes, 0)
        a.memory.u8.set(
          Array.from({ length: 128 }, (_, place) => place + 1),
          a.buffer.address,
        )
        const segmentsOf = (host: Host, parts: number[]) =>
          parts.map((bytes, index) => ({
            address: host.buffer.address + index * 32,
            bytes,
            localKey: host.buffer.localKey,
          }))
        b.srq.postReceive({ segments: segmentsOf(b, receiveLengths) })
        queuePair.postSend({ opcode: 'send', segments: segmentsOf(a, sendLengths), inline })
        const [completion] = pollAll(b.cq)
        expect(completion?.statusName).toBe(total <= room ? 'success' : 'localLengthError')
        if (total > room) return
        expect(completion?.bytes).toBe(total)
        const bytesOf = (host: Host, parts: number[]) =>
          segmentsOf(host, parts).flatMap(({ address, bytes }) =>
            readBytes(host.memory, address, bytes),
          )
        expect(bytesOf(b, receiveLengths).slice(0, total)).toEqual(bytesOf(a, sendLengths))
        expect(
          bytesOf(b, receiveLengths)
            .slice(total)
            .every((byte) => byte === 0),
        ).toBe(true)
      }),
    )
  })
})
