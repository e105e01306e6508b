import { SharedThreadError, type Mpi } from '@commworld/mpi'
import { until, type Style } from './actor.js'
import { cross } from './crossing.js'
import { exchange } from './exchange.js'
import type { Phase, Script } from './script.js'
import { collect, follow } from './sequence.js'

const BUFFER_BYTES = 16 * 2 ** 20

/** Runs this rank's part of a script. Throws at the first thing that is not as it was sent. */
export async function run(mpi: Mpi, script: Script, style: Style): Promise<void> {
  for (const [index, phase] of script.phases.entries()) {
    mpi.attachBuffer(BUFFER_BYTES)
    try {
      await runPhase(mpi, phase, style)
    } catch (error) {
      throw new Error(`phase ${index} at rank ${mpi.world.rank}: ${String(error)}`, {
        cause: error,
      })
    }
    // Wildcards of one phase must not take messages of the next.
    if (style === 'await') await mpi.world.ibarrier()
    else mpi.world.barrier()
    await detach(mpi, style)
  }
}

async function runPhase(mpi: Mpi, phase: Phase, style: Style): Promise<void> {
  switch (phase.type) {
    case 'crossing':
      return await cross(mpi, phase, style)
    case 'sequence':
      return await follow(mpi, phase, style)
    case 'gather':
      return await collect(mpi, phase, style)
    case 'exchange':
      return await exchange(mpi, phase, style)
  }
}

/** Buffered messages were received; their sender may have to be told yet. */
async function detach(mpi: Mpi, style: Style): Promise<void> {
  if ((await until(() => detached(mpi), style)) !== BUFFER_BYTES) {
    throw new Error('another buffer was detached')
  }
}

function detached(mpi: Mpi): number | undefined {
  try {
    return mpi.detachBuffer()
  } catch (error) {
    if (error instanceof SharedThreadError) return undefined
    throw error
  }
}
