import { AgreementError, launch, local, type Mpi } from '@commworld/mpi'
import { describe, expect, it } from 'vitest'
import { lineOf, mpiexec } from './mpiexec.js'

const carriers: [string, string[]][] = [
  ['on threads', []],
  ['--serial', ['--serial']],
  ['--in-process', ['--in-process']],
]

/** Ranks 0 to 2 are right, and rank 3 is not. */
describe.each(carriers)('mpiexec %s', (_, carrier) => {
  it.each([
    ['operation', 'iallreduce(SUM)', 'ialltoall'],
    ['root', 'ibcast 0', 'ibcast 1'],
    ['reduction', 'iallreduce(SUM)', 'iallreduce(PROD)'],
    ['kind', 'ibcastInto 0 float64 4', 'ibcastInto 0 float32 4'],
    ['count', 'ibcastInto 0 float64 4', 'ibcastInto 0 float64 3'],
    ['form', 'barrierInit', 'ibarrier'],
    ['family', 'ibcastInto 0 float64 1', 'ibcast 0 - -'],
    ['algorithm', 'ibarrier dissemination', 'ibarrier tree'],
  ])('shows what ranks called that differ in the %s', async (what, right, wrong) => {
    const { status, stdout, stderr } = await mpiexec([...carrier, '-n', '4', 'disagrees.ts', what])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    const [verdict, head, ...lines] = stderr
      .split('\n')
      .map((line) => line.trim().replace(/ +/g, ' '))
    expect(verdict).toBe('error CL02 collective #1 on `world` does not agree')
    expect(head).toMatch(/^call .*where$/)
    const place = `(${lineOf('disagrees.ts', ` ${what}: `)}|has gone on)`.replaceAll('.', '\\.')
    const row = (rank: number, call: string, mark: string) =>
      new RegExp(`^rank ${rank} ${call.replace(/[()]/g, '\\$&')} ${place}${mark}$`)
    for (const rank of [0, 1, 2]) expect(lines[rank]).toMatch(row(rank, right, ''))
    expect(lines[3]).toMatch(row(3, wrong, ' <-- differs'))
    expect(lines.at(-2)).toMatch(/more: mpiexec explain CL02$/)
  })

  it('is silent where calls may differ', async () => {
    const { status, stdout, stderr } = await mpiexec([...carrier, '-n', '4', 'agrees.ts'])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'agreed\n', stderr: '' })
  })

  it('leaves an error to a program that catches it', async () => {
    const line = [...carrier, '-n', '2', 'disagrees.ts', 'caught']
    const { status, stderr } = await mpiexec(line)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/ER01.* seen it/),
    })
  })
})

describe.each(['direct', 'recursive-doubling'])('a skipped collective, %s', (name) => {
  const run = async (what: string): Promise<string> => {
    const line = ['--algorithm', `allreduce=${name}`, '-n', '4', 'skips.ts', what]
    const { status, stderr } = await mpiexec(line)
    expect(status).toBe(2)
    return stderr.replace(/\s+/g, ' ')
  }

  it('says who has not come, and that he has left', async () => {
    const report = await run('returns')
    expect(report).toMatch(/^error DL02 ranks? .* for rank 3, which has finished /)
    expect(report).toContain('waits for rank 3 to call allreduce, but it has finished')
    // By messages rank 0 waits for rank 2, which waits for rank 3.
    if (name !== 'direct') expect(report).toContain('waits for rank 2, which is in it as well')
  })

  it('says where he is instead, and takes no message of the collective for his', async () => {
    const report = await run('receives')
    expect(report).toContain('error DL01 deadlock: ranks 0-3 can never continue')
    expect(report).toContain('waits for rank 3 to call allreduce')
    expect(report).toContain('likely cause: rank')
    expect(report).not.toContain('near miss')
  })
})

describe('a call that does not agree', () => {
  const program = new URL('./programs/disagrees.ts', import.meta.url)

  it('rejects launch and local with the error of the rank', async () => {
    const expected = { communicator: 'world', number: 1, name: 'AgreementError' }
    const args = ['root']
    const launched = launch(program, { ranks: 2, args })
    await expect(launched).rejects.toMatchObject(expected)
    await expect(launch(program, { ranks: 2, args })).rejects.toBeInstanceOf(AgreementError)
    const main = async ({ world }: Mpi): Promise<void> => {
      await world.ibarrier()
      await world.ibcast(1, { root: world.rank })
    }
    await expect(local(2, main)).rejects.toMatchObject(expected)
  })
})
