import type { Mpi } from '@commworld/mpi'
import { performFlight, type Flight } from '@commworld/testing'

/** Flights one after the other, in one world, of ranks that may block. */
export default async function main(mpi: Mpi, flights: readonly Flight[]): Promise<number> {
  for (const [index, flight] of flights.entries()) {
    try {
      await performFlight(mpi, flight, 'blocks')
    } catch (error) {
      const what = `flight ${index}, ${JSON.stringify(flight)}`
      throw new Error(`${what}: ${String(error)}`, { cause: error })
    }
  }
  return flights.length
}
