/** Runs in the page: a chart and a table of figures for each panel. `uPlot` stands before it. */
/* global uPlot, document, addEventListener */
{
  const COLOURS = [
    ...['#1b6ac9', '#d8541c', '#1f9c63', '#a03bb8', '#c29a00', '#0fa3b1'],
    ...['#e0457b', '#6a7f1f', '#7a5195', '#b5651d', '#4453d6', '#c0392b'],
  ]
  const NATIVE = {
    openmpi: { stroke: '#222', dash: [8, 5] },
    mpich: { stroke: '#888', dash: [3, 4] },
  }
  /** By selection. */
  const RINGS = [
    { stroke: '#1d2733', size: 16 },
    { stroke: '#8a96a3', size: 11 },
  ]
  const HEIGHT = 480

  const { panels } = JSON.parse(document.getElementById('result').textContent)
  const main = document.querySelector('main')
  for (const panel of panels) {
    const section = main.appendChild(document.createElement('section'))
    section.appendChild(element('h2', panel.title))
    drawChart(panel, section)
    section.appendChild(figures(panel))
    const failures = panel.lines.filter(({ failure }) => failure)
    for (const { title, failure } of failures) {
      section.appendChild(element('p', `${title} did not run: ${failure}`, 'failures'))
    }
  }

  function drawChart(panel, section) {
    const lines = panel.lines.filter(({ microseconds }) => microseconds.some(Boolean))
    const picked = panel.selections.map((selection) =>
      panel.positions.map((_, i) => pickedLine(panel, selection, i)?.microseconds[i] ?? null),
    )
    const text = (position) => panel.labels[panel.positions.indexOf(position)]
    const width = () => section.clientWidth
    const chart = new uPlot(
      {
        width: width(),
        height: HEIGHT,
        scales: {
          x: { time: false, distr: 3, log: 2, range: wider(panel.positions) },
          y: { distr: 3, log: 10, range: wider(lines.flatMap((line) => line.microseconds)) },
        },
        axes: [
          {
            label: panel.axis === 'bytes' ? 'message size' : 'ranks',
            splits: () => everyOther(panel.positions),
            values: (_, splits) => splits.map(text),
          },
          { label: 'µs', size: 70, values: (_, splits) => splits.map(tickText) },
        ],
        series: [
          { label: panel.axis === 'bytes' ? 'size' : 'ranks', value: (_, x) => text(x) ?? '–' },
          ...lines.map(lineSeries),
          ...panel.selections.map(selectionSeries),
        ],
        cursor: { focus: { prox: 12 }, points: { size: 8 } },
        focus: { alpha: 0.25 },
        hooks: { draw: [(self) => drawThresholds(self, panel)] },
      },
      [panel.positions, ...lines.map(({ microseconds }) => microseconds), ...picked],
      section,
    )
    addEventListener('resize', () => chart.setSize({ width: width(), height: HEIGHT }))
  }

  function lineSeries({ side, title }, index) {
    const look = NATIVE[side] ?? { stroke: COLOURS[index % COLOURS.length] }
    return {
      ...look,
      label: title,
      width: 2,
      points: { show: true, size: 5, fill: look.stroke },
      spanGaps: true,
      value: (_, y) => (y ? `${figure(y)} µs` : '–'),
    }
  }

  /** Rings around what is picked; the legend tells its name. */
  function selectionSeries({ title, picks }, index) {
    const { stroke, size } = RINGS[index]
    return {
      label: title,
      stroke,
      paths: () => null,
      points: { show: true, size, width: 2, fill: 'transparent' },
      value: (_, y, _series, position) => (y && position !== null && picks[position]) || '–',
    }
  }

  function drawThresholds(chart, { selections }) {
    const { ctx, bbox } = chart
    ctx.save()
    ctx.setLineDash([6, 6])
    ctx.font = `${12 * uPlot.pxRatio}px system-ui, sans-serif`
    for (const [index, { thresholds }] of selections.entries()) {
      ctx.strokeStyle = ctx.fillStyle = RINGS[index].stroke
      for (const { at, to } of thresholds) {
        const x = chart.valToPos(at, 'x', true)
        if (x < bbox.left || x > bbox.left + bbox.width) continue
        ctx.beginPath()
        ctx.moveTo(x, bbox.top)
        ctx.lineTo(x, bbox.top + bbox.height)
        ctx.stroke()
        const room = bbox.left + bbox.width - x > 2 * ctx.measureText(to).width
        ctx.textAlign = room ? 'left' : 'right'
        ctx.fillText(`→ ${to}`, room ? x + 6 : x - 6, bbox.top + (16 + 16 * index) * uPlot.pxRatio)
      }
    }
    ctx.restore()
  }

  function figures(panel) {
    const table = element('table', '', 'figures')
    const heads = [panel.axis, ...panel.lines.map(({ title }) => title)]
    table
      .createTHead()
      .insertRow()
      .append(...heads.map((head) => element('th', head)))
    const body = table.createTBody()
    for (const i of panel.positions.keys()) {
      const picked = pickedLine(panel, panel.selections[0], i)
      const cells = panel.lines.map((line) => {
        const time = line.microseconds[i]
        return element('td', time ? figure(time) : '–', line === picked ? 'picked' : '')
      })
      body.insertRow().append(element('th', panel.labels[i]), ...cells)
    }
    const details = document.createElement('details')
    details.append(element('summary', 'Figures in µs'), table)
    return details
  }

  function pickedLine({ lines }, { picks }, index) {
    return lines.find(({ side, name }) => side === 'ours' && name === picks[index])
  }

  /** Some room on both sides, unless the reader has zoomed in. */
  function wider(values) {
    const known = values.filter(Boolean)
    const [least, most] = [Math.min(...known), Math.max(...known)]
    return (_, min, max) => [min <= least ? least / 1.4 : min, max >= most ? most * 1.4 : max]
  }

  function everyOther(positions) {
    const step = positions.length > 12 ? 2 : 1
    return positions.filter((_, index) => index % step === 0)
  }

  /** Round numbers only: uPlot also marks where the axis begins. */
  function tickText(value) {
    const round = value === null ? undefined : Number(value.toPrecision(1))
    return Math.abs(round - value) < value * 1e-9 ? String(round) : ''
  }

  function figure(value) {
    return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
  }

  function element(name, text, className = '') {
    return Object.assign(document.createElement(name), { textContent: text, className })
  }
}
