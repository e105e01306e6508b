import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { directFabric } from '../../src/fabric/direct.js'
import { Hca } from '../../src/hca/hca.js'
import { enterError } from '../../src/hca/queue-pair/error-state.js'
import { FLUSHED } from '../../src/wire/completion-status.js'
import { markAsleep, markAwake, doorbellCount } from '../../src/ring/doorbell.js'
import type { QueuePair } from '../../src/verbs/queue-pair.js'
import { Post, Send } from '../../src/verbs/work-request.js'
import { Interrupter, withInterruptions } from '../ring/interruption.js'
import type { Host } from '../verbs/pair.js'
import { hosts, pollAll } from '../verbs/pair.js'

// Nobody is interrupted while it holds a lock: the others would wait for it for ever.
const locks = vi.hoisted(() => ({ held: 0 }))
vi.mock('../../src/ring/spin-lock.js', () => ({
  lock: (i32: Int32Array, address: number) => {
    Atomics.load(i32, address >>> 2) // the last moment at which others come first
    locks.held++
  },
  unlock: () => locks.held--,
}))

const SENDERS = 3
const RECEIVER = 0

/** A host as a thread: what it does is not interrupted by itself; it sleeps on its doorbell. */
class Thread {
  readonly host: Host
  asleep = false
  #inside = false
  #count = 0

  constructor(host: Host) {
    this.host = host
  }

  run(operation: () => void): void {
    if (this.#inside || this.asleep) return
    this.#inside = true
    operation()
    this.#inside = false
  }

  /** The wait loop's way to sleep: mark, look again, and stay asleep if nothing is there. */
  sleep(poll: () => number): void {
    this.run(() => {
      const { memory, device } = this.host
      this.#count = doorbellCount(memory.i32, device.doorbellAddress)
      markAsleep(memory.i32, device.doorbellAddress)
      if (poll() === 0) this.asleep = true
      else markAwake(memory.i32, device.doorbellAddress)
    })
  }

  /** Wakes if the doorbell was rung since. */
  wakeIfRung(): boolean {
    const { memory, device } = this.host
    const rung = doorbellCount(memory.i32, device.doorbellAddress) !== this.#count
    if (!this.asleep || !rung) return false
    markAwake(memory.i32, device.doorbellAddress)
    this.asleep = false
    return true
  }
}

class Scene {
  readonly threads = hosts(SENDERS + 1, { sendEntries: 16, signalAll: true }).map(
    (host) => new Thread(host),
  )
  readonly queuePairs: QueuePair[]
  readonly sent: number[] = [0, 0, 0, 0]
  readonly completed: number[] = [0, 0, 0, 0]
  readonly arrived: number[][] = [[], [], [], []]
  posted = 0
  received = 0

  constructor() {
    this.queuePairs = this.threads.map(({ host }) => host.device.connect(RECEIVER)!)
  }

  send(sender: number): void {
    const { host } = this.threads[sender]!
    host.memory.i32[host.buffer.address >> 2] = this.sent[sender]!
    const { address } = host.buffer
    const posted = this.queuePairs[sender]!.sendInline(address, 4, 0, 0, 0, Send.none)
    if (posted === Post.ok) this.sent[sender]!++
  }

  postReceive(): void {
    const { srq, buffer } = this.threads[RECEIVER]!.host
    const place = this.posted % 16
    if (srq.receive(buffer.address + place * 4, 4, buffer.localKey, place) === Post.ok)
      this.posted++
  }

  poll(index: number): number {
    const { cq, memory, buffer } = this.threads[index]!.host
    const completions = pollAll(cq)
    for (const { status, isReceive, workRequestId, source } of completions) {
      expect(status).toBe(0)
      if (!isReceive) {
        this.completed[index]!++
        continue
      }
      this.received++
      this.arrived[source]!.push(memory.i32[(buffer.address + workRequestId * 4) >> 2]!)
    }
    return completions.length
  }

  operations(): (() => void)[] {
    const onThread = (index: number, operation: () => void) => () =>
      this.threads[index]!.run(operation)
    return this.threads.flatMap((thread, index) => [
      onThread(index, () => (index === RECEIVER ? this.postReceive() : this.send(index))),
      onThread(index, () => this.poll(index)),
      () => thread.sleep(() => this.poll(index)),
    ])
  }

  /** Lets every thread fall asleep, and wakes those whose doorbell is rung, until all sleep. */
  settle(): void {
    let busy = true
    while (busy) {
      for (const [index, thread] of this.threads.entries()) {
        while (!thread.asleep) thread.sleep(() => this.poll(index))
      }
      busy = this.threads.map((thread) => thread.wakeIfRung()).includes(true)
    }
  }

  /** Nobody waits for what is there, and what was sent has arrived in order. */
  expectQuiet(): void {
    this.settle()
    const sent = this.sent.reduce((sum, count) => sum + count, 0)
    expect(this.received).toBe(Math.min(sent, this.posted))
    expect(this.completed.reduce((sum, count) => sum + count, 0)).toBe(this.received)
    for (const numbers of this.arrived) expect(numbers).toEqual([...numbers.keys()])
  }
}

/** Places of operations: of each thread there are three. */
const POST = 3 * RECEIVER
const send = (sender: number): number => 3 * sender
const sleep = (thread: number): number => 3 * thread + 2

describe('HCA', () => {
  test('leaves no receive idle, no message behind and nobody asleep under nested interleavings', () => {
    const choice = fc.oneof(fc.constant(0), fc.nat(3 * (SENDERS + 1)))
    const choices = fc.array(choice, { maxLength: 400, size: 'max' })
    fc.assert(
      fc.property(choices, (drawn) => {
        const scene = new Scene()
        const operations = scene.operations()
        const { interrupt } = new Interrupter(drawn, operations)
        const interruptUnlocked = (): void => {
          if (locks.held === 0) interrupt()
        }
        withInterruptions(interruptUnlocked, () => {
          for (let turn = 0; turn < 60; turn++) {
            operations[turn % operations.length]!()
            for (const thread of scene.threads) thread.wakeIfRung()
          }
        })
        scene.expectQuiet()
      }),
      { numRuns: 300 },
    )
  })

  // What comes later heals what was lost before: so there is little that comes later, but one interruption at
  // each point, by each operation of each thread.
  test.each([
    ['one waits', [send(1)]],
    ['two wait', [send(1), send(2)]],
    ['two wait for one receive', [POST, send(1), send(2), send(3)]],
    ['two wait, then there are receives', [send(1), send(2), POST, POST]],
    ['one waits twice', [send(1), send(1), POST, send(2)]],
    ['one sends while nobody looks', [send(1), sleep(1), POST, sleep(RECEIVER)]],
  ])('loses nobody under any single interruption: %s', (_, turns) => {
    let points = 0
    for (let point = 0; point <= points; point++) {
      for (let choice = 1; choice <= 3 * (SENDERS + 1); choice++) {
        const scene = new Scene()
        const operations = scene.operations()
        let met = 0
        let busy = false
        const interrupt = (): void => {
          if (locks.held > 0 || busy || met++ !== point) return
          busy = true
          operations[choice - 1]!()
          busy = false
        }
        withInterruptions(interrupt, () => {
          for (const turn of turns) {
            operations[turn]!()
            for (const thread of scene.threads) thread.wakeIfRung()
          }
        })
        points = met
        scene.expectQuiet()
      }
    }
    expect(points).toBeGreaterThan(8)
  })

  test('tells a sender of a peer that fails at any point, whether it waits or not', () => {
    let points = 0
    for (let point = 0; point <= points; point++) {
      const scene = new Scene()
      const { device, memory } = scene.threads[RECEIVER]!.host
      const { host } = scene.threads[1]!
      // As the receiver's thread does it; flushing, which waits for the sender to leave, comes later.
      const hca = new Hca(memory, RECEIVER, directFabric)
      const fail = (): void => enterError(hca, device.findQueuePair(1)!.address, FLUSHED, 0, 0)
      let met = 0
      withInterruptions(
        () => {
          if (locks.held === 0 && met++ === point) fail()
        },
        () => scene.send(1),
      )
      points = met
      if (met <= point) fail()
      expect(pollAll(host.cq).map(({ statusName }) => statusName)).toEqual(['retryExceeded'])
    }
    expect(points, 'it sees the failure before all else').toBeGreaterThan(3)
  })
})
