import type { Mpi } from '@commworld/mpi'
import type { Flight } from '../flight-case.js'
import { fly } from '../flight-run.js'

/** Flights one after the other, in one world. Its argument is a list of them as JSON. */
export default async function main(mpi: Mpi): Promise<number> {
  const list = JSON.parse(mpi.args[0]) as Flight[]
  for (const [index, flight] of list.entries()) {
    try {
      await fly(mpi, flight, 'blocks')
    } catch (error) {
      const what = `flight ${index}, ${JSON.stringify(flight)}`
      throw new Error(`${what}: ${String(error)}`, { cause: error })
    }
  }
  return list.length
}
