import type { Mpi } from '@commworld/mpi'
import { run, type Style } from '../run.js'
import type { Script } from '../script.js'

/** Runs scripts one after the other, in one world. Its argument is a list of them as JSON. */
export default async function main(mpi: Mpi): Promise<number> {
  const list = JSON.parse(mpi.args[0]!) as { script: Script; style: Style }[]
  for (const { script, style } of list) await run(mpi, script, style)
  return list.length
}
