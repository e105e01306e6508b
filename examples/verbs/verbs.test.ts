// Every transcript of the verbs tutorial and of docs/verbs.md: programs run by Node, and tshark where it
// is installed.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import { root } from '../mpiexec.js'
import { difference, transcriptsIn } from '../transcript.js'

const pages = ['examples/verbs/README.md', 'docs/verbs.md']
const hasTshark = spawnSync('tshark', ['--version']).status === 0
if (!hasTshark) console.log('tshark is not installed: transcripts of it are not checked')

// Programs leave their files here.
const folder = mkdtempSync(join(tmpdir(), 'verbs-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(pages)('%s', (page) => {
  for (const transcript of transcriptsIn(readFileSync(join(root, page), 'utf8'))) {
    const { line, command, output, form } = transcript
    const [name, ...words] = command.split(/\s+/)
    const runnable = name === 'node' || (name === 'tshark' && hasTshark)
    test.runIf(runnable)(`${line} ${command}`, { timeout: 60_000 }, () => {
      const args = words.map((word) =>
        /^(examples|benchmarks)\//.test(word) ? join(root, word) : word,
      )
      const { stdout, status } = spawnSync(name!, args, { cwd: folder, encoding: 'utf8' })
      expect(difference(output, stdout, form)).toBeUndefined()
      expect(status).toBe(form.exitStatus)
    })
  }
})
