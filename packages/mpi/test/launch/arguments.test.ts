import { resolve } from 'node:path'
import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { parseCommand, type Command } from '../../src/launch/command/arguments.js'
import { OPTIONS } from '../../src/launch/command/option-table.js'
import { UsageError } from '../../src/launch/command/usage-error.js'

function jobOf(line: string) {
  const command: Command = parseCommand(line.split(' '))
  if (command.kind !== 'run') throw new Error(`${line} runs nothing`)
  return command.job
}

function complaint(line: string): string {
  try {
    parseCommand(line === '' ? [] : line.split(' '))
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  throw new Error(`${line} was accepted`)
}

describe('parseCommand', () => {
  it.each(['-n 4 a.ts', '-n4 a.ts', '-np 4 a.ts', '--n 4 a.ts', '--n=4 a.ts'])(
    'reads the ranks of %s',
    (line) => {
      expect(jobOf(line).programs).toEqual([{ file: 'a.ts', args: [], ranks: 4, env: {} }])
    },
  )

  it('starts one rank per core unless told', () => {
    expect(jobOf('a.ts').programs[0]!.ranks).toBe(availableParallelism())
  })

  it('leaves everything after the program to it', () => {
    const [program] = jobOf('-n 2 a.ts -n 3 --prefix -np x -- --help').programs
    expect(program).toMatchObject({
      ranks: 2,
      args: ['-n', '3', '--prefix', '-np', 'x', '--', '--help'],
    })
  })

  it('takes the word after -- for the program', () => {
    expect(jobOf('-n 2 -- -odd.ts 1').programs[0]).toMatchObject({ file: '-odd.ts', args: ['1'] })
  })

  it('reads every option of a job', () => {
    const line =
      '--prefix --timeout 2.5 --memory 512MiB --heap 1GiB --eager-limit 64KiB --serial --seed 7 ' +
      '--choices 14=1 --strict-zero-copy --strict --sites --stats --pcap a.pcap a.ts'
    expect(jobOf(line)).toMatchObject({
      prefix: true,
      timeoutMs: 2500,
      memoryBytes: 512 * 2 ** 20,
      heapBytes: 2 ** 30,
      eagerLimitBytes: 65536,
      carrier: 'serial',
      seed: 7,
      choices: '14=1',
      strictZeroCopy: true,
      strict: true,
      sites: true,
      stats: true,
      pcap: resolve('a.pcap'),
    })
  })

  it('reads faults of the network', () => {
    expect(jobOf('--in-process --faults loss,crash a.ts').faults).toEqual(['loss', 'crash'])
    expect(() => jobOf('--in-process --faults lost a.ts')).toThrow("not 'lost'")
    expect(() => jobOf('--faults loss a.ts')).toThrow('--faults needs --in-process')
    expect(() => jobOf('--in-process --faults loss --pcap a.pcap a.ts')).toThrow('--pcap')
  })

  it('leaves defaults to the runtime', () => {
    expect(jobOf('a.ts')).toMatchObject({
      carrier: 'parallel',
      prefix: false,
      memoryBytes: undefined,
      heapBytes: undefined,
      eagerLimitBytes: undefined,
      timeoutMs: undefined,
      seed: undefined,
    })
  })

  it('collects environment variables, whose values may hold equals signs', () => {
    expect(jobOf('--env A=1 --env B=x=y --env A=2 a.ts').programs[0]!.env).toEqual({
      A: '2',
      B: 'x=y',
    })
  })

  it('reads several programs', () => {
    expect(jobOf('--prefix -n 1 a.ts one : -n 3 --env R=w b.ts two').programs).toEqual([
      { file: 'a.ts', args: ['one'], ranks: 1, env: {} },
      { file: 'b.ts', args: ['two'], ranks: 3, env: { R: 'w' } },
    ])
  })

  it('allows more ranks in one process', () => {
    expect(complaint('-n 1025 a.ts')).toMatch(/at most 1024 ranks; --in-process allows/)
    expect(jobOf('--in-process -n 1025 a.ts').carrier).toBe('coroutine')
  })

  it.each(['help', 'version', 'info'])('answers --%s without a program', (name) => {
    expect(parseCommand([`--${name}`])).toEqual({ kind: name })
  })

  it.each(['--info coll', '--info=coll', '-n 4 --info coll'])('reads the topic of %s', (line) => {
    expect(parseCommand(line.split(' '))).toEqual({ kind: 'info', topic: 'coll' })
  })

  it('collects the algorithms that are named', () => {
    const line = '--algorithm allreduce=ring,bcast=linear --algorithm=scan=linear a.ts'
    const named = ['allreduce=ring,bcast=linear', 'scan=linear']
    expect(parseCommand(line.split(' '))).toMatchObject({ kind: 'run', algorithms: named })
  })

  it('explains itself when nothing is given', () => {
    expect(parseCommand([])).toEqual({ kind: 'help' })
  })

  it.each([
    ['-n 0 a.ts', /-n 0: a job has at least 1 rank/],
    ['-n -3 a.ts', /-n/],
    ['-n many a.ts', /-n needs a number of ranks, such as -n 4; it got 'many'/],
    ['-n 1.5 a.ts', /-n needs a number/],
    ['-n 4', /no program given/],
    ['-n', /-n needs a value/],
    ['-n 600 a.ts : -n 600 b.ts', /-n 1200: a job has at most 1024 ranks/],
    ['--prefx a.ts', /unknown option --prefx; did you mean --prefix\?/],
    ['--tiemout=3 a.ts', /unknown option --tiemout; did you mean --timeout\?/],
    ['--zzzzzzzz a.ts', /unknown option --zzzzzzzz; --help lists/],
    ['--prefix=yes a.ts', /--prefix takes no value/],
    ['--timeout 0 a.ts', /--timeout needs seconds above 0/],
    ['--timeout soon a.ts', /--timeout needs seconds above 0; it got 'soon'/],
    ['--memory much a.ts', /--memory needs a size such as/],
    ['--memory 1KiB a.ts', /too little: at least 1MiB/],
    ['--memory 5GiB a.ts', /too much: at most 4GiB/],
    ['--env NAME a.ts', /--env needs NAME=VALUE; it got 'NAME'/],
    ['--seed -1 a.ts', /--seed/],
    ['--pcap no/such/folder/a.pcap a.ts', /--pcap .* cannot be written: its folder does not exist/],
    ['--in-process --fabric f.yaml --pcap a.pcap a.ts', /--pcap: with --fabric/],
    [
      '--fabric f.yaml -n 2 a.ts',
      /--in-process \(coroutines.*--serial \(threads, up to 128 ranks\)/,
    ],
    ['--serial --fabric hdr -n 129 a.ts', /-n 129: in virtual time at most 128 ranks/],
    ['--timing-only a.ts', /--timing-only needs --fabric FILE/],
    ['--in-process --fabric hdr --compute-scale 2 a.ts', /--compute-scale needs --serial/],
    ['--serial --fabric hdr --compute-scale 0 a.ts', /--compute-scale needs a factor above 0/],
    ['--serial --fabric hdr --expect soon a.ts', /--expect needs seconds above 0; it got 'soon'/],
    ['--seed 1 a.ts', /--seed needs --serial or --in-process/],
    ['--serial --in-process a.ts', /leave --serial away/],
    ['a.ts : --prefix b.ts', /--prefix is for the whole job/],
    ['-n 1 a.ts :', /a program is missing beside ':'/],
    ['--algorithm', /--algorithm needs a value: --algorithm LIST/],
    ['a.ts : --algorithm bcast=linear b.ts', /--algorithm is for the whole job/],
  ])('refuses %s', (line, message) => {
    const text = complaint(line)
    expect(text).toMatch(message)
    expect(text).not.toContain('\n')
  })

  it('knows each option of its table', () => {
    for (const { name, value } of OPTIONS as readonly { name: string; value?: string }[]) {
      if (!value) expect(() => parseCommand([`--${name}`, '--help'])).not.toThrow()
    }
  })
})
