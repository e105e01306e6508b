/** One row: its sides run in turn, several times, the best of each kept. */
import { figureLines, run } from './commands.mjs'
import { figure, judge } from './render.mjs'

/**
 * @param {import('./measures.mjs').Measure} measure
 * @param {object} bench
 * @param {import('./twins.mjs').Twins} bench.twins
 * @param {(measure: object, ranks: number) => string[]} bench.ourCommand
 * @param {number} bench.repeats
 * @param {number} bench.cores
 * @param {(text: string) => void} bench.say
 */
export async function compare(measure, bench) {
  const sides = ['ours', ...measure.twins.filter((side) => bench.twins.has(side))]
  const better = measure.better === 'lower' ? Math.min : Math.max
  const best = {}
  const failures = {}
  for (let repeat = 1; repeat <= bench.repeats; repeat++) {
    const seen = []
    for (const side of sides) {
      if (failures[side]) continue
      try {
        const value = await runOnce(measure, side, bench)
        best[side] = best[side] === undefined ? value : better(best[side], value)
        seen.push(`${side} ${figure(value)}`)
      } catch (error) {
        failures[side] = error.message
        bench.say(`  ${side} failed: ${error.message}`)
      }
    }
    bench.say(`  run ${repeat} of ${bench.repeats}: ${seen.join(', ')} ${measure.unit}`)
  }
  return { measure, best, failures, ...judge(measure, best) }
}

async function runOnce(measure, side, bench) {
  const { kind, ranks, column, scale = 1 } = measure
  if (kind === 'memory') return memoryPerRank(measure, bench)
  const { command, env } =
    side === 'ours'
      ? { command: bench.ourCommand(measure, ranks), env: {} }
      : bench.twins.command(measure, side, bench.cores)
  const { stdout, milliseconds } = await succeed(command, env)
  return kind === 'launcher' ? milliseconds : lastFigure(stdout, column) * scale
}

/** What each rank after the first adds to the process. */
async function memoryPerRank(measure, { ourCommand }) {
  const many = lastFigure((await succeed(ourCommand(measure, measure.ranks))).stdout)
  const one = lastFigure((await succeed(ourCommand(measure, 1))).stdout)
  return (many - one) / (measure.ranks - 1)
}

async function succeed(command, env) {
  const result = await run(command, { env })
  if (result.ok) return result
  const lines = (result.stderr || result.stdout).trim().split('\n')
  throw new Error(lines.slice(0, 8).join('\n    '))
}

/** A column, by default the last, of the last line that is not a comment. */
function lastFigure(stdout, column = -1) {
  const value = figureLines(stdout).at(-1)?.at(column) ?? NaN
  if (!Number.isFinite(value)) throw new Error(`no figure in the output:\n${stdout}`)
  return value
}
