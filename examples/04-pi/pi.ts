import { SUM, type Mpi } from '@commworld/mpi'

// The area under 4 / (1 + x²) between 0 and 1 is pi. Cut it into strips, take the height in the
// middle of each, and deal the strips out like cards: rank r takes r, r + size, r + 2 size, ...
function shareOfArea(strips: number, rank: number, size: number): number {
  let area = 0
  for (let strip = rank; strip < strips; strip += size) {
    const x = (strip + 0.5) / strips
    area += 4 / (1 + x * x) / strips
  }
  return area
}

export default async function main({ world }: Mpi) {
  const { rank, size } = world
  for (const strips of [10, 100, 1000, 10_000]) {
    // Every rank puts its share in and every rank gets the whole.
    const pi = await world.iallreduce(shareOfArea(strips, rank, size), SUM)
    if (rank === 0) {
      const error = Math.abs(pi - Math.PI).toExponential(1)
      console.log(`${String(strips).padStart(6)} strips: pi = ${pi.toFixed(10)}, error ${error}`)
    }
  }
}
