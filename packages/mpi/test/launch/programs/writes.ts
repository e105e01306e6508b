import type { Mpi } from '@commworld/mpi'

/** Writes `count` numbered lines in random pieces; the seed is the first argument. */
export default function main({ world, args }: Mpi) {
  const [seed, count] = args.map(Number) as [number, number]
  const random = generator(seed * 1000 + world.rank)
  const lines = Array.from({ length: count }, (_, line) => {
    const length = random() < 0.02 ? 70_000 : Math.floor(random() * 80)
    return `<${world.rank}:${line}:${'é'.repeat(length)}>\n`
  })
  let text = lines.join('')
  while (text.length > 0) {
    const piece = text.slice(0, 1 + Math.floor(random() * random() * 4000))
    text = text.slice(piece.length)
    process.stdout.write(random() < 0.5 ? piece : Buffer.from(piece))
    if (random() < 0.01) console.error(`error of ${world.rank}`)
  }
}

function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
