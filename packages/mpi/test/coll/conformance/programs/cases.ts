import type { Mpi } from '@commworld/mpi'
import type { MemoryCase } from '../memory-case.js'
import { runMemory } from '../memory-run.js'
import type { ValueCase } from '../value-case.js'
import { runValues } from '../value-run.js'

export type Case = { readonly memory: MemoryCase } | { readonly values: ValueCase }

/** Runs cases one after the other, in one world. Its argument is a list of them as JSON. */
export default async function main(mpi: Mpi): Promise<number> {
  const list = JSON.parse(mpi.args[0]) as Case[]
  for (const [index, one] of list.entries()) {
    try {
      if ('memory' in one) await runMemory(mpi, one.memory)
      else await runValues(mpi, one.values)
    } catch (error) {
      throw new Error(`case ${index}, ${JSON.stringify(one)}: ${String(error)}`, { cause: error })
    }
  }
  return list.length
}
