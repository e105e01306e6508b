import { readFileSync } from 'node:fs'
import { formatDuration } from '@commworld/transport/simulated'
import type { PathPart } from '../../simulate/rank-times.js'
import type { RunResult } from '../../simulate/virtual/run-result.js'
import { reportData } from '../../simulate/virtual/report-data.js'
import { packageFile } from '../program/package-files.js'

/** The page of a run as one HTML file that needs no other: ECharts, the figures and the script inside. */
export function reportPage(result: RunResult, title: string): string {
  const read = (name: string): string => readFileSync(packageFile(`report/${name}`), 'utf8')
  const data = reportData(result, title)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${read('page.css')}</style>
<h1>${escapeHtml(title)}</h1>
${data.notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
<h2>What the run took so long for: ${formatDuration(result.timePs)}</h2>
<p>The critical path is the chain of computing and messages that ended last: only what is shorter there makes the
run shorter.</p>
<div class="path">${data.path.map(pathPart).join('')}</div>
<dl>${data.path.map(pathWords).join('')}</dl>
<h2>The network</h2>
<p>Circles are hosts, squares are switches. The colour of a link says how full it is in its busier direction:
<span class="scale">idle <i></i> full</span>. Move the slider through the run; drag and scroll to zoom.</p>
<p><input id="step" type="range" min="-1" value="-1"> <output id="when"></output></p>
<div id="topology"></div>
<h2>Ranks and their messages</h2>
<p>One line a rank, time to the right. A bar is computing (folding and copying in collectives included), a line is a message from its sender to its receiver;
the thick ones are the critical path. Scroll to zoom.</p>
<div id="timeline"></div>
<h2>Where the time of each rank went</h2>
<p>Overhead is the processor's part in sending and receiving; contention is waiting because a link or an
interface was shared; waiting is everything else: for others, and for the wire.</p>
<div id="shares"></div>
<h2>The run in words</h2>
<pre>${escapeHtml(data.text)}</pre>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${read('echarts.min.js')}</script>
<script>${read('page.browser.js')}</script>
</html>
`
}

/** What the parts of a critical path mean. */
const MEANINGS: Readonly<Record<PathPart, string>> = {
  computing: 'what the program computes, and what the library folds and copies for collectives',
  overhead: "the processors' part in sending and receiving",
  latency: 'the way through interfaces, cables and switches',
  transfer: 'the bytes, at the rate of the slowest part of the way',
  contention: 'waiting for links and interfaces that others use',
}

function pathPart([part, share]: readonly [PathPart, number]): string {
  const percent = (100 * share).toFixed(1)
  const label = share > 0.08 ? `${part} ${Math.round(100 * share)} %` : ''
  return `<div class="${part}" style="width:${percent}%" title="${part} ${percent} %">${label}</div>`
}

function pathWords([part, share]: readonly [PathPart, number]): string {
  return `<dt>${part} ${(100 * share).toFixed(1)} %</dt><dd>${MEANINGS[part]}</dd>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
