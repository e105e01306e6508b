import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { collectiveAlgorithms } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COLLECTIVE_KINDS } from '../../src/coll/plan/collective.js'
import { measuredBy, rulesInWords } from '../../src/coll/select/in-words.js'
import { select } from '../../src/coll/select/select.js'
import { algorithmsText } from '../../src/launch/command/algorithms-text.js'
import { mpiexec } from './mpiexec.js'

describe('mpiexec --info', () => {
  it('tells the versions, and where to read on about algorithms', async () => {
    const { status, stdout } = await mpiexec(['--info'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Commworld +\d/)
    const count = collectiveAlgorithms.length
    expect(stdout).toMatch(new RegExp(`collectives +${count} algorithms; --info coll`))
  })

  it.each(['coll', 'allreduce'])('tells the algorithms of %s', async (topic) => {
    const { status, stdout, stderr } = await mpiexec(['--info', topic])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('recursive doubling')
    expect(stdout.includes('BARRIER')).toBe(topic === 'coll')
  })

  it.each([
    ['alreduce', /^mpiexec: --info has no topic alreduce; did you mean allreduce\?\n$/],
    ['hello.ts', /--info has no topic hello\.ts; it has coll, barrier, /],
  ])('refuses the topic %s', async (topic, message) => {
    const { status, stderr } = await mpiexec(['--info', topic])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) })
  })

  it('ends quietly when its reader goes away', async () => {
    const launcher = fileURLToPath(new URL('../../dist/launch/mpiexec.js', import.meta.url))
    const child = spawn(process.execPath, [launcher, '--info', 'coll'])
    child.stdout.destroy()
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const status = await new Promise((resolve) => child.on('close', resolve))
    expect({ status, errors }).toEqual({ status: 0, errors: '' })
  })
})

describe('algorithmsText', () => {
  const lines = algorithmsText().split('\n')

  it('fits into 100 columns', () => {
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(100)
      expect(line).toBe(line.trimEnd())
    }
  })

  it('has a card for every algorithm', () => {
    const text = lines.map((line) => line.trim()).join(' ')
    const compact = text.replace(/ +/g, ' ')
    for (const { name, title, use, cost, source } of collectiveAlgorithms) {
      expect(compact).toContain(`${name} ${title} use ${use} cost ${cost} `)
      expect(compact).toContain(`source ${source}`)
    }
  })

  it('says which algorithm serves a call, what it needs, and its radix', () => {
    const text = algorithmsText('allreduce')
    expect(text).toContain('by the bytes of the vector')
    expect(text).toMatch(/^ {2}ring +fewer than 64 ranks, reductions that commute$/m)
    expect(text).toMatch(/^ {2}recursive-doubling +otherwise$/m)
    expect(text).toMatch(/^ +needs +a reduction that commutes; memory: values are not cut$/m)
    expect(algorithmsText('bcast')).toMatch(/^ +radix +2 unless it is named$/m)
  })
})

describe('rulesInWords', () => {
  it('ends with what serves every call', () => {
    for (const collective of COLLECTIVE_KINDS) {
      const lines = rulesInWords(collective)
      expect(lines.map(({ when }) => when === 'otherwise').indexOf(true)).toBe(lines.length - 1)
    }
    expect(measuredBy('barrier')).toBeUndefined()
    expect(measuredBy('reduceScatter')).toBe('the vector')
    expect(measuredBy('alltoall')).toBe('a block')
  })

  it('names all that is ever chosen', () => {
    const calls = fc.record({
      collective: fc.constantFrom(...COLLECTIVE_KINDS),
      size: fc.integer({ min: 1, max: 300 }),
      values: fc.boolean(),
      bytes: fc.integer({ min: 0, max: 24 }).map((power) => 2 ** power - 1),
      commutative: fc.boolean(),
      sharedMemory: fc.boolean(),
      listed: fc.boolean(),
    })
    fc.assert(
      fc.property(calls, ({ listed, ...call }) => {
        // As the engine asks: of values nothing is known, of v-forms neither lengths.
        const bytes = call.values || listed ? 0 : call.bytes
        const question = { ...call, bytes, knownBlocks: !listed, equalBlocks: !listed }
        const { algorithm } = select(question, undefined, {})
        expect(rulesInWords(call.collective).map(({ use }) => use)).toContain(algorithm.name)
      }),
      { numRuns: 2000 },
    )
  })
})
