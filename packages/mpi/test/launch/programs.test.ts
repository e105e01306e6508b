import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesOf, mpiexec } from './mpiexec.js'

describe('mpiexec', () => {
  it('gives the program its arguments, environment, input and place', async () => {
    const args = ['-n', '2', '--env', 'COMMWORLD_TEST=yes', 'surroundings.ts', 'one', '--two']
    const { status, stdout } = await mpiexec(args, { input: 'some input\n' })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      argv: ['surroundings.ts', 'one', '--two'],
      args: ['one', '--two'],
      environment: 'yes',
      url: 'surroundings.ts',
      folder: 'programs',
      file: 'surroundings.ts',
      beside: 'beside the program',
      part: 'part.ts',
      answer: 42,
      input: 'some input\n',
      terminal: false,
    })
  })

  it('runs several programs in one world', async () => {
    const line = '-n 1 hello.ts a : -n 2 hello.ts b c : -n 1 commonjs.cjs'
    const { status, stdout } = await mpiexec(line.split(' '))
    expect(status).toBe(0)
    expect(linesOf(stdout)).toEqual([
      'common 3',
      'rank 0 of 4 a',
      'rank 1 of 4 b c',
      'rank 2 of 4 b c',
    ])
  })

  it('reads a program from a folder that belongs to no project', async () => {
    const { stdout } = await mpiexec(['-n', '2', 'adds.ts'], { cwd: folder })
    expect(stdout).toBe('sum 1\n')
  })

  it.each([
    ['no-default.ts', /no-default\.ts: the program has no default export \(it exports main\)/],
    ['no-function.ts', /the default export is no function but an object/],
  ])('refuses %s', async (program, message) => {
    const { status, stderr } = await mpiexec(['-n', '2', program])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) })
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  it('reports a throw at import', async () => {
    const { status, stderr } = await mpiexec(['-n', '2', 'throws-at-import.ts'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/threw Error: thrown while loading[^]*throws-at-import\.ts:1/)
  })

  it('shows the line and place that does not parse', async () => {
    const { status, stderr } = await mpiexec(['-n', '2', 'wrong.ts'], { cwd: folder })
    expect(status).toBe(1)
    expect(stderr).toMatch(/wrong\.ts: the program does not build[^]*wrong\.ts:2:12[^]*\^/)
  })

  it('names an import that is not there', async () => {
    const { status, stderr } = await mpiexec(['-n', '2', 'imports.ts'], { cwd: folder })
    expect(status).toBe(1)
    expect(stderr).toMatch(/Could not resolve "\.\/nowhere\.js"[^]*imports\.ts:1/)
  })

  it.each([
    [['-n', '2', 'helo.ts'], /helo\.ts: there is no such file; did you mean hello\.ts\?/],
    [['-n', '0', 'hello.ts'], /-n 0: a job has at least 1 rank/],
    [['-n', '9999', 'hello.ts'], /a job has at most 1024 ranks/],
    [['-n', '2', 'part'], /part: this is a directory/],
    [['--prefx', 'hello.ts'], /did you mean --prefix\?/],
  ])('refuses %j', async (args, message) => {
    const { status, stdout, stderr } = await mpiexec(args)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  it('explains itself', async () => {
    const { status, stdout } = await mpiexec(['--help'])
    expect(status).toBe(0)
    expect(stdout).toContain('npx mpiexec -n 4 hello.ts')
    expect((await mpiexec(['--version'])).stdout).toMatch(/^mpiexec \(Commworld\) \d+\.\d+\.\d+\n$/)
    expect((await mpiexec(['explain', 'DL01'])).stdout).toContain('DL01')
  })
})

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
  const programs = {
    'wrong.ts': 'export default function main() {\n  const x = ;\n}\n',
    'imports.ts': "import { gone } from './nowhere.js'\nexport default () => gone()\n",
    'adds.ts':
      "import { SUM, type Mpi } from '@commworld/mpi'\n" +
      'export default function main({ world }: Mpi) {\n' +
      '  const sum = world.allreduce(world.rank, SUM)\n' +
      '  if (world.rank === 0) console.log(`sum ${sum}`)\n}\n',
  }
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
})
afterAll(() => rmSync(folder, { recursive: true }))
