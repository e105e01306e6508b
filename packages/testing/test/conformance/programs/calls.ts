import type { Mpi } from '@commworld/mpi'
import {
  performMemoryCall,
  performValueCall,
  type MemoryCall,
  type ValueCall,
} from '@commworld/testing'

export type Call = { readonly memory: MemoryCall } | { readonly values: ValueCall }

/** Makes calls one after the other, in one world. */
export default async function main(mpi: Mpi, calls: readonly Call[]): Promise<number> {
  for (const [index, call] of calls.entries()) {
    try {
      if ('memory' in call) await performMemoryCall(mpi, call.memory)
      else await performValueCall(mpi, call.values)
    } catch (error) {
      throw new Error(`call ${index}, ${JSON.stringify(call)}: ${String(error)}`, { cause: error })
    }
  }
  return calls.length
}
