import { SUM, type Mpi, type MpiError } from '@commworld/mpi'
import { inForm } from '../forms.js'
import { wrongCalls } from '../wrong-calls.js'

/** What a wrong call has thrown. */
export interface Refused {
  readonly what: string
  readonly name: string
  readonly code: string
  readonly message: string
}

/** Makes all wrong calls that count for this rank, in the form that blocks; none of them counts. */
export default function main(mpi: Mpi): Refused[] {
  const { world } = mpi
  const blocking = inForm(world, 'blocking')
  const refused: Refused[] = []
  for (const [what, call, , at] of Object.values(wrongCalls).flat()) {
    if (at !== undefined && (world.rank === 0) !== (at === 'root')) continue
    try {
      call(blocking, mpi)
    } catch (error) {
      const { name, code, message } = error as MpiError
      refused.push({ what, name, code, message })
    }
  }
  if (world.allreduce(1, SUM) !== world.size) throw new Error('a wrong call was counted')
  return refused
}
