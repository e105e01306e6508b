import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mpiexec } from './mpiexec.js'

const folder = mkdtempSync(join(tmpdir(), 'fabric-'))
const fabric = join(folder, 'tree.yaml')
const tapered = join(folder, 'tapered.yaml')
const tree = (parents: string): string =>
  `network: hdr\ntopology:\n  kind: fat-tree\n  children: [4, 4]\n  parents: ${parents}\nlayer: 2\n`
writeFileSync(fabric, tree('[1, 4]'))
writeFileSync(tapered, tree('[1, 1]'))
const program = new URL('programs/virtual.ts', import.meta.url).pathname

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('mpiexec --fabric', () => {
  const base = ['--fabric', fabric, '--in-process', '-n', '8']

  it('runs in virtual time, and tells the same twice', async () => {
    const first = await mpiexec([...base, '--digest', program])
    const again = await mpiexec([...base, '--digest', program])
    expect(first.status).toBe(0)
    expect(first.stdout).toMatch(/^1\.0\d\d ms/)
    expect(first.stderr).toContain('critical path')
    expect(first.stderr).toContain('ignored: ')
    expect([again.stdout, again.stderr]).toEqual([first.stdout, first.stderr])
  })

  it('writes a page, links and a schedule, which takes as long again', async () => {
    const [page, links, goal] = ['r.html', 'l.json', 's.goal'].map((name) => join(folder, name))
    const { stderr } = await mpiexec([
      ...base,
      ...['--report', page!, '--links', links!, '--goal', goal!],
      program,
    ])
    expect(readFileSync(page!, 'utf8').startsWith('<!doctype html>')).toBe(true)
    expect(JSON.parse(readFileSync(links!, 'utf8'))).toHaveProperty('links')
    const replayed = await mpiexec(['replay', goal!, '--fabric', fabric])
    const time = /virtual time +(\S+ \S+)/
    expect(time.exec(replayed.stdout)![1]).toBe(time.exec(stderr)![1])
  })

  it('tells of threads what it tells of coroutines, the schedule included', async () => {
    const [one, other] = ['one.goal', 'other.goal'].map((name) => join(folder, name))
    const job = ['--fabric', fabric, '-n', '6', '--digest', '--goal']
    const coroutines = await mpiexec([...job, one!, '--in-process', program])
    const threads = await mpiexec([...job, other!, '--serial', program])
    expect(threads.stdout).toBe(coroutines.stdout)
    expect(threads.stderr.replace(other!, one!)).toBe(coroutines.stderr)
    expect(readFileSync(other!, 'utf8')).toBe(readFileSync(one!, 'utf8'))
  })

  it('compares two clusters', async () => {
    const { stdout, status } = await mpiexec([
      'compare',
      fabric,
      tapered,
      '--',
      '-n',
      '16',
      program,
    ])
    expect(status).toBe(0)
    expect(stdout).toContain('on the critical path: contention')
    expect(stdout).toContain('times as fast')
  })

  it.each([
    [['--fabric', join(folder, 'none.yaml'), '--in-process', '-n', '2'], 'cannot be read'],
    [['--fabric', fabric, '--in-process', '-n', '17'], '17 ranks do not fit'],
    [['--fabric', fabric, '-n', '2'], '--fabric needs --in-process'],
    [['--ppn', '2', '-n', '2'], '--ppn needs --fabric FILE'],
    [[...base, '--placement', 'random'], "--placement is block or round-robin, not 'random'"],
  ])('refuses %j', async (options, words) => {
    const { status, stderr } = await mpiexec([...options, program])
    expect(status).toBe(1)
    expect(stderr).toContain(words)
  })
})
