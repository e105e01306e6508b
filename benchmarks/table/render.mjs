/** The verdict of each row, and the table as Markdown, as it stands in docs/performance.md. */

/**
 * N, ratio and verdict of one row.
 *
 * @param {import('./measures.mjs').Measure} measure
 * @param {Record<string, number | undefined>} best   figures by side: ours, openmpi, mpich, mpi4py
 */
export function judge(measure, best) {
  const lower = measure.better === 'lower'
  const twins = measure.twins.map((side) => best[side]).filter((value) => value !== undefined)
  const native = twins.length ? (lower ? Math.min(...twins) : Math.max(...twins)) : undefined
  const ratio = best.ours && native && best.ours / native
  const compared = measure.absolute ? best.ours : ratio
  return { native, ratio, verdict: verdictOf(measure, best.ours, compared) }
}

function verdictOf({ better, required, aim }, ours, compared) {
  const reaches = (bound) => (better === 'lower' ? compared <= bound : compared >= bound)
  if (ours === undefined) return 'failed'
  if (required === undefined || compared === undefined) return '–'
  if (reaches(aim)) return 'aim reached'
  return reaches(required) ? 'reached' : 'falls short'
}

/** Everything a reader needs to judge the figures, the machine and the mechanisms included. */
export function renderReport({ machine, twins, memcpy, repeats, rows }) {
  const lines = [
    '',
    renderTable(rows),
    '',
    `- Best of ${repeats} on each side, run in turn; N is the better twin in the row.`,
    ...machineNotes(machine, twins).map((note) => `- ${note}`),
  ]
  if (memcpy) {
    const rates = Object.entries(memcpy).map(
      ([bytes, rate]) => `${figure(rate / 1e3)} GB/s at ${Number(bytes) / 1024} KiB`,
    )
    lines.push(`- C memcpy of one message into 64 slots: ${rates.join(', ')}.`)
  }
  return lines.join('\n')
}

/** What the figures were taken on. */
export function machineNotes(machine, twins) {
  const { cpu, cores, memoryGibibytes, system, node, loadBefore, date } = machine
  return [
    `Machine: ${cpu}, ${cores} cores, ${memoryGibibytes} GiB, ${system}, Node ${node}.`,
    `Load average before the run: ${loadBefore}; ${date}.`,
    ...twins.map((line) => `${line}.`),
  ]
}

function renderTable(rows) {
  const heads = 'measure,ours,Open MPI,MPICH,mpi4py,better N,ratio,required,aim,verdict'.split(',')
  const cells = rows.map(({ measure, best, native, ratio, verdict }) => [
    `${measure.title} (${measure.unit})`,
    ...[best.ours, best.openmpi, best.mpich, best.mpi4py, native, ratio].map(figure),
    boundText(measure, measure.required),
    boundText(measure, measure.aim),
    verdict,
  ])
  return markdownTable(heads, cells)
}

/** A table in columns, as it stands in a Markdown file. */
export function markdownTable(heads, cells) {
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...cells].map((line) => line[column].length)),
  )
  const format = (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  const rule = format(widths.map((width) => '-'.repeat(width)))
  return [format(heads), rule, ...cells.map(format)].join('\n')
}

function boundText({ better, absolute, unit }, bound) {
  if (bound === undefined) return '–'
  const sign = better === 'lower' ? '≤' : '≥'
  return absolute ? `${sign} ${bound} ${unit}` : `${sign} ${bound} x N`
}

/** Three significant digits, never in exponent form. */
export function figure(value) {
  if (value === undefined) return '–'
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
