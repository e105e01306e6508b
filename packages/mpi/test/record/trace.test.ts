import { describe, expect, it } from 'vitest'
import { OPERATION_NAMES } from '../../src/record/operation.js'
import { TRACE_WORDS, TraceRecorder, operationCode, traceLimitFor } from '../../src/record/trace.js'

describe('TraceRecorder', () => {
  it('stops at its limit, says so, and accepts what comes after', () => {
    const trace = new TraceRecorder(3)
    const entries = [0, 1, 2, 3, 4].map((number) => trace.send(0, 0, 1, number, 0, 0))
    expect(entries).toEqual([0, 1, 2, -1, -1])
    expect(trace.wait(0, 0, -1)).toBe(-1)
    trace.matched(-1, 0, 0)
    expect(trace.finish(0)).toMatchObject({ rank: 0, length: 3, complete: false })
  })

  it('keeps every entry while it grows', () => {
    const trace = new TraceRecorder()
    for (let number = 0; number < 1000; number++) trace.send(5, 1, 2, number, 0, 7)
    const { words, complete } = trace.finish(0)
    expect(complete).toBe(true)
    expect(words).toHaveLength(1000 * TRACE_WORDS)
    expect(words[999 * TRACE_WORDS + 2]).toBe(999)
  })

  it('numbers call sites when asked to, equal ones alike', () => {
    const trace = new TraceRecorder(10, { sites: true })
    for (let number = 0; number < 3; number++) trace.send(0, 0, 1, number, 0, 0)
    trace.receive(0, 0, 0, 0)
    const { words, sites } = trace.finish(0)
    const numbers = [0, 1, 2, 3].map((entry) => words[entry * TRACE_WORDS + 4])
    expect(numbers).toEqual([0, 0, 0, 1])
    expect(sites).toHaveLength(2)
    expect(sites?.every((site) => site.includes('trace.test.ts'))).toBe(true)
    expect(new TraceRecorder().finish(0).sites).toBeUndefined()
  })

  it('records nothing with a limit of 0', () => {
    const trace = new TraceRecorder(0)
    expect(trace.receive(0, 0, 0, 0)).toBe(-1)
    expect(trace.complete).toBe(false)
  })
})

describe('operationCode', () => {
  it('is the index in a table without duplicates, small enough for its bits', () => {
    expect(new Set(OPERATION_NAMES).size).toBe(OPERATION_NAMES.length)
    OPERATION_NAMES.forEach((name, code) => expect(operationCode(name)).toBe(code))
    expect(OPERATION_NAMES.length).toBeLessThan(0x8000)
  })
})

describe('traceLimitFor', () => {
  it('shares a fixed total among the ranks', () => {
    expect([1, 2, 64, 1024, 100_000].map(traceLimitFor)).toEqual([16384, 16384, 4096, 256, 256])
  })
})
