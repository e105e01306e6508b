import { readFileSync } from 'node:fs'
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
<h2>The network</h2>
<p>Circles are hosts, squares are switches. A link is blue when it carries little and red when it is full, in
its busier direction. Move the slider through the run; drag and scroll to zoom.</p>
<p><input id="step" type="range" min="-1" value="-1"> <output id="when"></output></p>
<div id="topology"></div>
<h2>Ranks and their messages</h2>
<p>One line a rank, time to the right. A bar is computing (folding and copying in collectives included), a line is a message from its sender to its receiver;
the thick ones are the critical path, which the run took as long as. Scroll to zoom.</p>
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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
