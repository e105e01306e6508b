import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Mpi } from '@commworld/mpi'
import { partAddress } from './part/part.js'

/** What a program sees of the world outside of MPI. */
export default async function main({ world, args }: Mpi) {
  if (world.rank > 0) return
  const text: string[] = []
  for await (const chunk of process.stdin) text.push(String(chunk))
  const { default: data } = await import('./part/answer.json', { with: { type: 'json' } })
  const facts = {
    argv: process.argv.slice(1).map((argument) => basename(argument)),
    args,
    environment: process.env.COMMWORLD_TEST,
    url: basename(import.meta.url),
    folder: basename(import.meta.dirname),
    file: basename(import.meta.filename),
    beside: readFileSync(new URL('./part/text.txt', import.meta.url), 'utf8').trim(),
    part: basename(partAddress),
    answer: data.answer,
    input: text.join(''),
    terminal: process.stdout.isTTY ?? false,
  }
  console.log(JSON.stringify(facts))
}
