/** The plots of a sweep as one HTML file that needs no other: uPlot, the figures and the script inside. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const resources = {
  library: require.resolve('uplot/dist/uPlot.iife.min.js'),
  libraryStyle: require.resolve('uplot/dist/uPlot.min.css'),
  script: new URL('page.browser.js', import.meta.url),
  style: new URL('page.css', import.meta.url),
}

/**
 * @param {object} result
 * @param {string} result.title
 * @param {readonly string[]} result.notes   what the figures were taken on
 * @param {readonly import('./panel.mjs').Panel[]} result.panels
 */
export function renderPage(result) {
  const { library, libraryStyle, script, style } = Object.fromEntries(
    Object.entries(resources).map(([name, path]) => [name, readFileSync(path, 'utf8')]),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(result.title)}</title>
<style>${libraryStyle}${style}</style>
<h1>${escapeHtml(result.title)}</h1>
<p>Mean over ranks of the time of one call; both axes are logarithmic. A ring marks what the library
picks when no algorithm is named, a smaller, lighter one what it would pick if the ranks did not
share memory; an upright line in the same shade stands where the choice changes. Click an entry of
the legend to hide a line, drag to zoom, double-click to see everything again.</p>
<main></main>
<footer><ul>${result.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul></footer>
<script type="application/json" id="result">${escapeScript(JSON.stringify(result))}</script>
<script>${library}</script>
<script>${script}</script>
</html>
`
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** No text in the figures may end the element that holds them. */
function escapeScript(json) {
  return json.replaceAll('<', '\\u003c')
}
