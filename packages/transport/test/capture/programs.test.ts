import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { invariantCrc, variantCrc } from '../../src/capture/crc.js'
import { type Dissected, dissectFile } from './dissect.js'
import { bytesOfFile, type Program, programs, run, type Sent } from './programs.js'
import { complaints, hasTshark, tshark } from './tshark.js'

const ANSWERS = [0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12]
const isAnswer = ({ opcode }: { opcode: number }): boolean => ANSWERS.includes(opcode)
const isRead = ({ step }: Sent): boolean => step.opcode === 'rdmaRead'
const isAtomic = ({ step }: Sent): boolean => /AndSwap|AndAdd/.test(step.opcode)
const isFlush = ({ step }: Sent): boolean => step.opcode === 'flush'

/** Packets that a message takes. */
function packetsOf(sent: Sent, mtuBytes: number): number {
  return isAtomic(sent) || isFlush(sent)
    ? 1
    : Math.max(1, Math.ceil(sent.message.length / mtuBytes))
}

/** Checks all that an end sent as a requester, and what came back, against what the program posted. */
function checkEnd(end: number, program: Program, sent: Sent[], packets: Dissected[]): void {
  const requests = packets.filter((packet) => packet.from === end + 1 && !isAnswer(packet))
  const answers = packets.filter((packet) => packet.to === end + 1 && isAnswer(packet))
  let sequence = program.firstNumbers[end]!
  const posted = sent.filter(({ step }) => step.end === end)
  for (const [messages, one] of posted.entries()) {
    const count = packetsOf(one, program.mtuBytes)
    const out = requests.splice(0, isRead(one) ? 1 : count)
    const back = answers.splice(0, isRead(one) ? count : 1)
    const numbers = Array.from({ length: count }, (_, index) => (sequence + index) & 0xffffff)
    const sequences = (some: Dissected[]): number[] => some.map((packet) => packet.sequence)
    expect(sequences(out)).toEqual(isRead(one) ? [sequence] : numbers)
    expect(sequences(back)).toEqual(isRead(one) ? numbers : [numbers.at(-1)])
    checkData(one, out, back, program.mtuBytes)
    expect(back.at(-1)!.acknowledge).toEqual({ syndrome: 0x1f, messages: messages + 1 })
    expect(out.map((packet) => packet.acknowledgeRequest)).toEqual(
      out.map((_, index) => index === out.length - 1),
    )
    sequence = (sequence + count) & 0xffffff
  }
  expect([requests, answers]).toEqual([[], []])
}

function checkData(one: Sent, out: Dissected[], back: Dissected[], mtuBytes: number): void {
  const { step, message } = one
  if (isAtomic(one)) {
    const found = new DataView(message.buffer, message.byteOffset).getBigInt64(0, true)
    expect(back[0]!.original).toBe(found)
    expect(out[0]!.atomic!.swap).toBe(BigInt(step.datum))
    return
  }
  if (isFlush(one)) {
    expect([out[0]!.flush, out[0]!.remote!.bytes]).toEqual([1, step.bytes])
    expect([...out, ...back].map(({ payload }) => payload.length)).toEqual([0, 0])
    return
  }
  const carrying = isRead(one) ? back : out
  expect(Buffer.concat(carrying.map(({ payload }) => payload)).equals(message)).toBe(true)
  for (const { payload } of carrying.slice(0, -1)) expect(payload.length).toBe(mtuBytes)
  if (/^rdma|^atomicWrite/.test(step.opcode)) expect(out[0]!.remote!.bytes).toBe(message.length)
  const immediate = step.opcode.endsWith('Immediate') ? step.datum : undefined
  expect(out.at(-1)!.immediate).toBe(immediate)
  if (!isRead(one)) expect(out.at(-1)!.solicited).toBe(step.solicited)
}

describe('capture', () => {
  test('holds the packets of what a random program sent, numbered without a gap', () => {
    fc.assert(
      fc.property(programs, (program) => {
        run(program, (file, sent, numbers) => {
          const packets = dissectFile(bytesOfFile(file))
          for (const packet of packets) {
            expect(packet.invariantCrc).toBe(invariantCrc(packet.bytes.subarray(0, -6), false))
            expect(packet.variantCrc).toBe(variantCrc(packet.bytes.subarray(0, -2)))
            expect(packet.destination).toBe(numbers[packet.to - 1])
          }
          const times = packets.map(({ timeNs }) => timeNs)
          expect(times).toEqual([...new Set(times)].sort((a, b) => (a < b ? -1 : 1)))
          for (const end of [0, 1]) checkEnd(end, program, sent, packets)
        })
      }),
    )
  })

  test.runIf(hasTshark)(
    'is read by tshark without a complaint, to the same numbers',
    () => {
      fc.assert(
        fc.property(programs, (program) => {
          run(program, (file) => {
            expect(complaints(file)).toEqual([])
            const fields = ['infiniband.bth.opcode', 'infiniband.bth.psn', 'infiniband.bth.destqp']
            const crcs = [
              'infiniband.invariant.crc',
              'infiniband.variant.crc',
              'infiniband.lrh.slid',
            ]
            const mine = dissectFile(bytesOfFile(file)).map((packet) => [
              ...[packet.opcode, packet.sequence, packet.destination],
              new DataView(packet.bytes.buffer, packet.bytes.byteOffset).getUint32(
                packet.bytes.length - 6,
              ),
              new DataView(packet.bytes.buffer, packet.bytes.byteOffset).getUint16(
                packet.bytes.length - 2,
              ),
              packet.from,
            ])
            // Wireshark 4.0 does not know the two operations beyond 23, so it finds no checksum there.
            const known = (words: number[]): number[] =>
              words[0]! > 23 ? words.slice(0, 3) : words
            const theirs = tshark(file, [...fields, ...crcs]).map((words) => words.map(Number))
            expect(theirs.map(known)).toEqual(mine.map(known))
          })
        }),
        { numRuns: 10 },
      )
    },
    60_000,
  )
})
