'use strict'

// The intervals of a comparison as a drawing, for the terminal and as SVG. To the right of zero, B takes more CPU time.

const { agreementText, captionLines } = require('./caption')
const escapeXml = require('../tools/escape-xml')
const percent = require('./percent')

const WIDTH = 49 // characters
const STEPS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] // %
const MOST_STEPS = 6
const PLOT = { left: 380, width: 340, right: 380, top: 116, row: 30, line: 19 } // px

const percentOf = (ratio) => (ratio - 1) * 100
const tickText = (tick) => tick === 0 ? '0' : `${tick > 0 ? '+' : ''}${tick} %`

/** @returns {{ ticks: number[], place: (ratio: number) => number }} in %; where a ratio is on the axis, from 0 to 1 */
function scaleOf (scenarios) {
  const drawn = scenarios.flatMap(({ verdict, self }) => self === undefined ? [verdict] : [verdict, self])
  const values = drawn.flatMap(({ ratio, interval: { low, high } }) => [low, ratio, high])
    .filter((value) => value > 0 && Number.isFinite(value)).map(percentOf)
  const [least, most] = [Math.min(0, ...values), Math.max(0.1, ...values)]
  const step = STEPS.find((step) => (most - least) / step <= MOST_STEPS) ?? most - least
  const [from, to] = [Math.floor(least / step), Math.ceil(most / step)]
  return {
    ticks: Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step),
    place: (ratio) => Math.min(1, Math.max(0, (percentOf(ratio) / step - from) / (to - from)))
  }
}

/** @returns {string} a line for each scenario, with zero marked, and the axis */
function drawLines (scenarios) {
  const { ticks, place } = scaleOf(scenarios)
  const at = (ratio) => Math.round(place(ratio) * (WIDTH - 1))
  const nameWidth = Math.max(...scenarios.map(({ name }) => name.length))
  const lines = scenarios.map(({ name, verdict: { ratio, interval }, self }) => {
    const cells = new Array(WIDTH).fill(' ')
    if (self !== undefined) cells.fill('░', at(self.interval.low), at(self.interval.high) + 1)
    cells.fill('─', at(interval.low), at(interval.high) + 1)
    cells[at(1)] = cells[at(1)] === '─' ? '┼' : '│'
    cells[at(ratio)] = '●'
    return `  ${name.padEnd(nameWidth)}  ${cells.join('')}  ${percent(ratio)}`
  })
  const axis = new Array(WIDTH + 8).fill(' ')
  for (const tick of ticks) axis.splice(at(1 + tick / 100), tickText(tick).length, ...tickText(tick))
  return [...lines, `  ${' '.repeat(nameWidth)}  ${axis.join('').trimEnd()}`].join('\n')
}

const STYLE = `
  svg { background: #fff; font: 13px system-ui, sans-serif }
  text { fill: #1f2328 } .title { font-weight: 600 } .quiet { fill: #59636e }
  .grid { stroke: #d1d9e0 } .zero { stroke: #1f2328 }
  .band { fill: #818b98; opacity: .3 }
  .A { stroke: #0969da; fill: #0969da } .B { stroke: #bc4c00; fill: #bc4c00 } .none { stroke: #59636e; fill: #59636e }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117 }
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #30363d } .zero { stroke: #f0f6fc }
    .A { stroke: #4493f8; fill: #4493f8 } .B { stroke: #f0883e; fill: #f0883e } .none { stroke: #9198a1; fill: #9198a1 }
  }
`

/** @returns {string} the same with its caption as a picture, for light and dark pages */
function drawSvg (comparison) {
  const { scenarios } = comparison
  const { left, width, right, top, row, line } = PLOT
  const { ticks, place } = scaleOf(scenarios)
  const x = (ratio) => Math.round((left + place(ratio) * width) * 10) / 10
  const bottom = top + scenarios.length * row
  const grid = ticks.map((tick) => {
    const at = x(1 + tick / 100)
    return `<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${at}" x2="${at}" y1="${top - 6}" y2="${bottom}"/>
<text class="quiet" x="${at}" y="${bottom + 18}" text-anchor="middle">${tickText(tick)}</text>`
  })
  const rows = scenarios.map(({ name, verdict, self }, i) => {
    const { decision, ratio, interval: { low, high } } = verdict
    const y = top + i * row + row / 2
    const said = `${decision}, ${agreementText(verdict)}`
    const kind = decision.endsWith('faster') ? decision[0] : 'none'
    return `<text x="${left - 12}" y="${y + 4}" text-anchor="end">${escapeXml(name)}</text>
${self === undefined ? '' : band(x(self.interval.low), x(self.interval.high), y)}
<line class="${kind}" stroke-width="3" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/>
<circle class="${kind}" cx="${x(ratio)}" cy="${y}" r="5"/>
<text x="${left + width + 14}" y="${y + 4}">${percent(ratio)}${quiet(said)}</text>`
  })
  const caption = captionLines(comparison).map((text, i) => {
    return `<text class="${i === 0 ? 'title' : 'quiet'}" x="12" y="${22 + i * line}">${escapeXml(text)}</text>`
  })
  const size = `width="${left + width + right}" height="${bottom + 32}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><style>${STYLE}</style>
${[...caption, ...grid, ...rows].join('\n')}
</svg>
`
}

const band = (from, to, y) => `<rect class="band" x="${from}" y="${y - 10}" width="${to - from}" height="20"/>`
const quiet = (text) => `<tspan class="quiet" dx="8">${text}</tspan>`

module.exports = { drawLines, drawSvg }
