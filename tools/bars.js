'use strict'

// Horizontal bars as a picture, for light and dark pages.

const escapeXml = require('./escape-xml')

// px; a phone shows a README 370 px wide, and shrinks what is wider: the letters too
const [LEFT, WIDTH, RIGHT, TOP, ROW] = [236, 204, 80, 44, 26]

const STYLE = `
  svg { background: #fff; font: 14px system-ui, sans-serif }
  text { fill: #1f2328 } .title { font-weight: 600 }
  .ours { fill: #0969da } .theirs { fill: #818b98 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117 }
    text { fill: #f0f6fc } .ours { fill: #4493f8 } .theirs { fill: #656c76 }
  }
`

/**
 * @param {object} picture
 * @param {string} picture.title
 * @param {string} picture.unit behind each figure
 * @param {{ name: string, value: number, isOurs: boolean }[]} picture.bars from top to bottom
 * @returns {string} SVG
 */
function drawBars ({ title, unit, bars }) {
  const most = Math.max(...bars.map(({ value }) => value))
  const rows = bars.map(({ name, value, isOurs }, i) => {
    const y = TOP + i * ROW
    const length = Math.max(1, value / most * WIDTH).toFixed(1)
    const middle = y + ROW / 2
    return `<text x="${LEFT - 12}" y="${middle + 1}" text-anchor="end">${escapeXml(name)}</text>
<rect class="${isOurs ? 'ours' : 'theirs'}" x="${LEFT}" y="${y + 1}" width="${length}" height="${ROW - 10}"/>
<text x="${LEFT + Number(length) + 8}" y="${middle + 1}">${value.toFixed(0)} ${unit}</text>`
  })
  const size = `width="${LEFT + WIDTH + RIGHT}" height="${TOP + bars.length * ROW + 6}"`
  const label = `role="img" aria-label="${escapeXml(title)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${label}><style>${STYLE}</style>
<text class="title" x="12" y="24">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`
}

module.exports = { drawBars }
