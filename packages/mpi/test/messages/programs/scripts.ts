import type { Mpi } from '@commworld/mpi'
import type { Style } from '../actor.js'
import { run } from '../run.js'
import type { Script } from '../script.js'

/** Runs scripts one after the other, in one world. Its argument is a list of them as JSON. */
export default async function main(mpi: Mpi): Promise<number> {
  const list = JSON.parse(mpi.args[0]!) as { script: Script; style: Style }[]
  for (const [index, { script, style }] of list.entries()) {
    try {
      await run(mpi, script, style)
    } catch (error) {
      throw new Error(`script ${index} (${style}): ${String(error)}`, { cause: error })
    }
  }
  return list.length
}
