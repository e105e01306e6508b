import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const launcher = fileURLToPath(new URL('../../dist/launch/mpiexec.js', import.meta.url))
const program = fileURLToPath(new URL('../launch/programs/hello.ts', import.meta.url))

test.runIf(process.platform === 'linux')(
  'a limited address space is named as the reason, with what to do about it',
  () => {
    const line = `ulimit -v 6000000; exec "$0" "${launcher}" -n 2 "${program}"`
    const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(stderr).toMatch(/cannot create a world memory of \d+ bytes/)
    expect(stderr).toMatch(/limited \(ulimit -v\).*--disable-wasm-trap-handler.*--memory/)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(status).toBe(1)
  },
)
