import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'

import { capture } from '../../src/capture/capture.js'
import { createHcaTable } from '../../src/hca/hca-table.js'
import { WorldMemory } from '../../src/memory/world-memory.js'
import { Access } from '../../src/verbs/access.js'
import { Device } from '../../src/verbs/device.js'
import type { Opcode } from '../../src/wire/opcode.js'

/** One request of a random program. */
export interface Step {
  opcode: Opcode
  /** Which of the two ends posts it. */
  end: 0 | 1
  bytes: number
  pieces: number
  inline: boolean
  solicited: boolean
  datum: number
}

export interface Program {
  mtuBytes: number
  firstNumbers: [number, number]
  steps: Step[]
}

const MESSAGE_BYTES_MAX = 5000
const INLINE_BYTES = 256
const RIGHTS =
  Access.localWrite |
  Access.remoteWrite |
  Access.remoteRead |
  Access.remoteAtomic |
  Access.flushGlobal

const opcodes: Opcode[] = [
  ...(['send', 'sendWithImmediate', 'rdmaWrite', 'rdmaWriteWithImmediate'] as const),
  ...(['rdmaRead', 'compareAndSwap', 'fetchAndAdd', 'atomicWrite', 'flush'] as const),
]

/** Random programs of two reliable connected ends; sequence numbers begin near their wrap, too. */
export const programs: fc.Arbitrary<Program> = fc.record({
  mtuBytes: fc.constantFrom(256, 512, 1024, 2048, 4096),
  firstNumbers: fc.tuple(
    fc.oneof(fc.nat(0xffffff), fc.integer({ min: 0xfffff0, max: 0xffffff })),
    fc.nat(0xffffff),
  ),
  steps: fc.array(
    fc.record({
      opcode: fc.constantFrom(...opcodes),
      end: fc.constantFrom(0 as const, 1 as const),
      bytes: fc.oneof(fc.nat(MESSAGE_BYTES_MAX), fc.constantFrom(0, 1, 256, 1024, 4096)),
      pieces: fc.integer({ min: 1, max: 3 }),
      inline: fc.boolean(),
      solicited: fc.boolean(),
      datum: fc.integer({ min: 0, max: 0xffffffff }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
})

/** What a step should have sent: its message, as found in memory before it. */
export interface Sent {
  step: Step
  message: Uint8Array
}

/** Runs a program under capture; gives what it sent and the file that was captured. */
export function run(
  program: Program,
  use: (file: string, sent: Sent[], numbers: number[]) => void,
) {
  const folder = mkdtempSync(join(tmpdir(), 'pcap-'))
  const file = join(folder, 'program.pcap')
  try {
    const trace = capture(file)
    const { sent, numbers } = carryOut(program, trace)
    trace.close()
    use(file, sent, numbers)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const bytesOfFile = (file: string): Uint8Array => readFileSync(file)

function carryOut({ mtuBytes, firstNumbers, steps }: Program, trace: ReturnType<typeof capture>) {
  const memory = WorldMemory.create({ bytes: 4 * 2 ** 20 })
  createHcaTable(memory, 2)
  const ends = [0, 1].map((index) => {
    const device = Device.open(memory, index, trace.fabric)
    const domain = device.allocateProtectionDomain()
    const cq = device.createCompletionQueue({ entries: 64 })
    const address = memory.heap.allocate(2 * MESSAGE_BYTES_MAX + 16)
    const buffer = domain.register(address, 2 * MESSAGE_BYTES_MAX + 16, RIGHTS)
    const options = {
      sendQueue: cq,
      receiveQueue: cq,
      inlineBytesMax: INLINE_BYTES,
      segmentsMax: 4,
    }
    return { device, domain, buffer, address, queuePair: domain.createQueuePair(options) }
  })
  ends.forEach(({ queuePair }, index) => {
    const other = ends[1 - index]!
    queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access: RIGHTS })
    queuePair.modify({
      state: 'readyToReceive',
      destinationLocalIdentifier: other.device.localIdentifier,
      destinationQueuePairNumber: other.queuePair.number,
      pathMtuBytes: mtuBytes,
      receivePacketSequenceNumber: firstNumbers[1 - index]!,
      responderReadsMax: 16,
      receiverNotReadyTimer: 12,
    })
    queuePair.modify({
      state: 'readyToSend',
      timeout: 14,
      retryCount: 7,
      receiverNotReadyRetryCount: 7,
      sendPacketSequenceNumber: firstNumbers[index]!,
      initiatorReadsMax: 16,
    })
    for (let at = 0; at < MESSAGE_BYTES_MAX; at++) {
      memory.u8[ends[index]!.address + at] = (at * 31 + index * 101 + (at >> 8)) & 0xff
    }
  })
  const sent = steps.map((step) => {
    const here = ends[step.end]!
    const there = ends[1 - step.end]!
    const atomic = step.opcode === 'compareAndSwap' || step.opcode === 'fetchAndAdd'
    const flushes = step.opcode === 'flush'
    const words = atomic || step.opcode === 'atomicWrite'
    const bytes = words ? 8 : step.bytes
    const inline =
      step.inline && bytes <= INLINE_BYTES && !atomic && !flushes && step.opcode !== 'rdmaRead'
    const from = step.opcode === 'rdmaRead' || atomic ? there.address : here.address
    const message = memory.u8.slice(from, from + bytes)
    // Posted behind for some, so that requests which wait for their receive are captured as well.
    const receive = (): void => {
      const segments = [
        { address: there.address + MESSAGE_BYTES_MAX, bytes, localKey: there.buffer.localKey },
      ]
      there.queuePair.postReceive({ segments })
    }
    const takes = /^send|WriteWithImmediate$/.test(step.opcode)
    if (takes && step.datum % 2 === 0) receive()
    const base = step.opcode === 'rdmaRead' || atomic ? MESSAGE_BYTES_MAX : 0
    const localKey = here.buffer.localKey
    const cuts = Array.from({ length: flushes ? 1 : step.pieces + 1 }, (_, cut) =>
      words ? (cut === 0 ? 0 : 8) : Math.floor((bytes * cut) / step.pieces),
    )
    const segments = cuts.slice(1, words ? 2 : undefined).map((end, cut) => ({
      address: here.address + base + cuts[cut]!,
      bytes: end - cuts[cut]!,
      localKey,
    }))
    here.queuePair.postSend({
      opcode: step.opcode,
      segments,
      inline,
      solicited: step.solicited,
      immediate: step.datum,
      remoteAddress: there.address + (/Write/.test(step.opcode) ? MESSAGE_BYTES_MAX : 0),
      remoteKey: there.buffer.remoteKey,
      ...(flushes ? { flush: { global: true, bytes } } : {}),
      operand: BigInt(step.datum),
      compare: 1n,
      signaled: true,
    })
    if (takes && step.datum % 2 === 1) receive()
    here.device.progress()
    return { step: { ...step, bytes }, message }
  })
  return { sent, numbers: ends.map(({ queuePair }) => queuePair.number) }
}
