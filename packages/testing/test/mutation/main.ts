import { judge, mutated, type Judgement } from './judge.js'
import type { Mutant } from './mutant.js'
import { productMutants } from './mutants/index.js'

// Judges all mutants, or those whose file or name contains a word: npm run mutation -- inbox --seed 7

const words = process.argv.slice(2)
const seedAt = words.indexOf('--seed')
const [, seedText = '1'] = seedAt < 0 ? [] : words.splice(seedAt, 2)
const seed = Number(seedText)
const chosen = productMutants.filter(({ name, file }) =>
  words.every((word) => `${file} ${name}`.includes(word)),
)
// One that does not fit any more is told before the others are judged.
for (const mutant of chosen) await mutated(mutant)
const judgements = await judgeAll(chosen, 2)

console.log(`| file | mutant | found by | after runs | ms |`)
console.log('| --- | --- | --- | ---: | ---: |')
for (const { mutant, caughtBy, runs, ms } of judgements) {
  const found = caughtBy ?? (mutant.equivalent === undefined ? '**not found**' : 'equivalent')
  const file = mutant.file.split('/').at(-1)!
  console.log(`| ${file} | ${mutant.name} | ${found} | ${runs || ''} | ${ms} |`)
}
const found = judgements.filter(({ caughtBy }) => caughtBy !== undefined)
const missed = judgements.filter(
  ({ caughtBy, mutant }) => caughtBy === undefined && mutant.equivalent === undefined,
)
const wrong = found.filter(({ mutant }) => mutant.equivalent !== undefined)
console.log()
console.log(
  `${found.length} of ${chosen.length} mutants found with seed ${seed}, ${missed.length} missed, ` +
    `${judgements.length - found.length - missed.length} equivalent`,
)
for (const { mutant } of wrong) console.log(`found though listed as equivalent: ${mutant.name}`)
process.exit(missed.length + wrong.length > 0 ? 1 : 0)

/** A few at a time, in order. */
async function judgeAll(mutants: readonly Mutant[], atOnce: number): Promise<Judgement[]> {
  const all: Judgement[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < mutants.length) {
      const at = next++
      all[at] = await judge(mutants[at]!, seed)
      process.stderr.write(
        `${at + 1}/${mutants.length} ${all[at].caughtBy ?? 'NOT FOUND'}: ${mutants[at]!.name}\n`,
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return all
}
