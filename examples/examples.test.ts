// Every example at every number of ranks and on every carrier, and every transcript in the docs.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectations, type Carrier } from './expected.js'
import { mpiexec, root } from './mpiexec.js'
import { difference, transcriptsIn, type OutputForm } from './transcript.js'

const timeoutMs = 75_000
const optionsOf: Record<Carrier, readonly string[]> = {
  threads: [],
  serial: ['--serial', '--seed', '1'],
  'in-process': ['--in-process'],
}

// Each starts a process of its own.
describe.concurrent('examples', () => {
  for (const { program, ranks, carriers, output, anyOrder = false } of expectations) {
    for (const carrier of carriers) {
      for (const count of carrier === 'serial' ? [3] : ranks) {
        test(`${program} on ${count} ranks, ${carrier}`, { timeout: timeoutMs }, async () => {
          const command = [...optionsOf[carrier], '-n', String(count), `examples/${program}`]
          await check(command, output(count), { anyOrder, exitStatus: 0 })
        })
      }
    }
  }
})

describe.concurrent('transcripts', () => {
  for (const path of markdownFiles()) {
    for (const { line, command, output, form } of transcriptsIn(
      readFileSync(join(root, path), 'utf8'),
    )) {
      const [npx, name, ...args] = command.split(/\s+/)
      if (npx !== 'npx' || name !== 'mpiexec') continue
      test(`${path}:${line} ${command}`, { timeout: timeoutMs }, async () => {
        await check(args, output, form)
      })
    }
  }
})

test('the README shows the program of its transcript', () => {
  const program = readFileSync(join(root, 'examples/tour.ts'), 'utf8')
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\n${program}\`\`\`\n`)
})

async function check(args: readonly string[], expected: string, form: OutputForm) {
  const { output, exitStatus } = await mpiexec(args)
  const wrong = difference(expected, output, form)
  if (wrong !== undefined) throw new Error(`mpiexec ${args.join(' ')}\n${wrong}`)
  expect(exitStatus, 'exit status').toBe(form.exitStatus)
}

function markdownFiles(): string[] {
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'))
  for (const folder of ['docs', 'examples']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (entry.endsWith('.md')) pages.push(join(folder, entry))
    }
  }
  return pages.sort()
}
