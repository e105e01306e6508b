/** `npm run bench -- --coll NAME`: measures, prints the tables, writes the page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineNotes } from '../table/render.mjs'
import { algorithmsOf } from './algorithms.mjs'
import { renderPage } from './page.mjs'
import { sweep } from './sweep.mjs'
import { renderPanel } from './text-table.mjs'

const FOLDER = new URL('../results/', import.meta.url)

/**
 * @param {object} options
 * @param {boolean} options.json
 * @param {number} options.repeats
 * @param {{ collective: string, rankCounts: number[], maxBytes: number, seconds: number }} options.sweep
 * @param {object} bench   as for `compare`, with the machine
 */
export async function reportCollective({ json, repeats, sweep: task }, { machine, ...bench }) {
  const { collective } = task
  if (algorithmsOf(collective).length === 0) {
    bench.say(`bench: there is no algorithm for ${collective}`)
    process.exitCode = 1
    return
  }
  await bench.twins.prepare([{ program: 'coll', twins: ['openmpi', 'mpich'] }])
  const panels = await sweep({ ...task, repeats }, bench)
  const notes = [
    `Best of ${repeats}, run in turn.`,
    ...machineNotes(machine, bench.twins.describe()),
  ]
  const result = { title: `${collective}: every algorithm`, notes, panels }

  const page = new URL(`${collective}.html`, FOLDER)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(page, renderPage(result))
  if (json) console.log(JSON.stringify(result, null, 2))
  else console.log(['', ...panels.map(renderPanel), notes.map(item).join('\n')].join('\n\n'))
  bench.say(`plot: ${fileURLToPath(page)}`)
  if (!panels.every(hasOurs)) process.exitCode = 1
}

const item = (note) => `- ${note}`

function hasOurs({ lines }) {
  return lines.some(({ side, failure }) => side === 'ours' && !failure)
}
