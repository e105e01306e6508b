// Draws the page of a run in virtual time. ECharts is there as `echarts`, the figures in #data.
/* global echarts, document, window */

const data = JSON.parse(document.getElementById('data').textContent)
const colours = {
  computing: '#4477aa',
  overhead: '#ccbb44',
  waiting: '#dddddd',
  contention: '#ee6677',
  message: '#888888',
  critical: '#aa3377',
}
const time = (us) => (us >= 1000 ? `${(us / 1000).toFixed(3)} ms` : `${us.toFixed(3)} us`)
const size = (bytes) => (bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${bytes} B`)
const charts = [drawTopology(), drawTimeline(), drawShares()].filter(Boolean)
window.addEventListener('resize', () => charts.forEach((chart) => chart.resize()))

/** Blue is idle, red is as much as the link can carry. */
function colourOf(share) {
  if (share === 0) return '#d9d9d9'
  const hue = 210 * (1 - Math.min(1, share))
  return `hsl(${hue} 80% 45%)`
}

function drawTopology() {
  if (data.nodes.length === 0) return undefined
  const chart = echarts.init(document.getElementById('topology'))
  const many = data.nodes.length > 150
  const hosts = data.nodes.filter(([, , , host]) => host).length
  const nodes = data.nodes.map(([name, x, y, host], id) => ({
    id: String(id),
    name,
    x: x * 1000,
    y: y * 400,
    symbol: host ? 'circle' : 'roundRect',
    symbolSize: host ? (many ? 4 : 10) : many ? 8 : 16,
    itemStyle: { color: host ? '#66ccee' : '#333' },
    label: {
      show: !many && (!host || hosts <= 24),
      position: host ? 'bottom' : 'top',
      fontSize: 10,
      backgroundColor: 'rgba(255, 255, 255, 0.8)',
    },
  }))
  const edges = (step) =>
    data.cables.map(({ ends: [a, b], shares }) => {
      const share = step < 0 ? Math.max(...shares) : shares[step]
      const text = `${data.nodes[a][0]} to ${data.nodes[b][0]}: ${Math.round(share * 100)} % of its rate`
      const lineStyle = { color: colourOf(share), width: 1 + 4 * Math.min(1, share), opacity: 0.9 }
      return { source: String(a), target: String(b), lineStyle, text }
    })
  chart.setOption({
    animation: false,
    tooltip: { formatter: ({ data: { text, name } }) => text ?? name },
    series: [{ type: 'graph', layout: 'none', roam: true, data: nodes, edges: edges(-1) }],
  })
  const slider = document.getElementById('step')
  const shown = document.getElementById('when')
  slider.max = String(data.steps - 1)
  slider.addEventListener('input', () => show(Number(slider.value)))
  const show = (step) => {
    chart.setOption({ series: [{ edges: edges(step) }] })
    const at = (one) => time((data.end * one) / data.steps)
    shown.textContent = step < 0 ? 'the most of the whole run' : `${at(step)} to ${at(step + 1)}`
  }
  show(-1)
  return chart
}

function drawTimeline() {
  const chart = echarts.init(document.getElementById('timeline'))
  const bar = (params, api) => {
    const [x, y] = api.coord([api.value(1), api.value(0)])
    const [end] = api.coord([api.value(2), api.value(0)])
    const height = Math.max(2, Math.min(16, api.size([0, 1])[1] * 0.5))
    const shape = { x, y: y - height / 2, width: Math.max(1, end - x), height }
    return { type: 'rect', shape, style: { fill: colours.computing } }
  }
  const arrow = (stroke, lineWidth, opacity) => (params, api) => {
    const [x1, y1] = api.coord([api.value(2), api.value(0)])
    const [x2, y2] = api.coord([api.value(3), api.value(1)])
    return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth, opacity } }
  }
  // So many that they would hide each other.
  const faint = data.messages.length > 600 ? 0.3 : 0.9
  const messageText = ({ value: [from, to, sent, arrived, bytes] }) =>
    `${size(bytes)} from rank ${from} to rank ${to}<br>sent ${time(sent)}, there ${time(arrived)}`
  const messages = (critical) => data.messages.filter((message) => message[5] === critical)
  chart.setOption({
    animation: false,
    legend: { top: 0 },
    tooltip: {},
    grid: { left: 70, right: 40, top: 30, bottom: 70 },
    xAxis: {
      type: 'value',
      min: 0,
      max: data.end,
      name: 'us',
      axisLine: { onZero: false },
      axisLabel: { formatter: (us) => Number(us.toFixed(1)) },
    },
    yAxis: {
      type: 'value',
      inverse: true,
      min: -0.5,
      max: data.ranks - 0.5,
      minInterval: 1,
      name: 'rank',
      nameLocation: 'middle',
      nameGap: 40,
      axisLabel: { formatter: (value) => (Number.isInteger(value) ? value : '') },
    },
    dataZoom: [
      { type: 'inside', filterMode: 'none' },
      { type: 'slider', filterMode: 'none' },
    ],
    series: [
      {
        name: 'computing',
        type: 'custom',
        color: colours.computing,
        renderItem: bar,
        data: data.spans,
        encode: { x: [1, 2], y: 0 },
        tooltip: {
          formatter: ({ value: [rank, a, b] }) => `rank ${rank} computes for ${time(b - a)}`,
        },
      },
      {
        name: 'messages',
        type: 'custom',
        color: colours.message,
        renderItem: arrow(colours.message, 0.8, faint),
        data: messages(0),
        encode: { x: [2, 3], y: [0, 1] },
        tooltip: { formatter: messageText },
      },
      {
        name: 'critical path',
        type: 'custom',
        color: colours.critical,
        renderItem: arrow(colours.critical, 2.5, 1),
        data: messages(1),
        encode: { x: [2, 3], y: [0, 1] },
        tooltip: { formatter: messageText },
      },
    ],
  })
  return chart
}

function drawShares() {
  const chart = echarts.init(document.getElementById('shares'))
  chart.setOption({
    animation: false,
    legend: { top: 0 },
    tooltip: { trigger: 'axis', valueFormatter: time },
    grid: { left: 70, right: 50, top: 30, bottom: 30 },
    xAxis: { type: 'category', data: data.shares.map(([rank]) => rank), name: 'rank' },
    yAxis: { type: 'value', name: 'us' },
    series: ['computing', 'overhead', 'waiting', 'contention'].map((name, part) => ({
      name,
      type: 'bar',
      stack: 'time',
      color: colours[name],
      data: data.shares.map((shares) => shares[part + 1]),
    })),
  })
  return chart
}
