'use strict'

// Horizontal bars as a picture, for light and dark pages.

// px; a phone shows a README 370 px wide, and shrinks what is wider: the letters too
const [WIDTH, TOP, ROW, GAP] = [520, 44, 22, 10]
const FIGURE = 80 // px; behind a bar

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
 * @param {number} picture.left px; for the names
 * @param {number} [picture.right] px; for what stands behind the figures
 * @param {{ name: string, bars: { who?: string, value: number, isOurs: boolean }[] }[]} picture.groups from top to
 *   bottom; the bars of a group touch each other
 * @returns {string} SVG
 */
function drawBars ({ title, unit, left, right = 0, groups }) {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const longest = WIDTH - left - FIGURE - right
  let y = TOP
  const drawn = groups.map(({ name, bars }) => {
    const middle = y + bars.length * ROW / 2 + 5
    const rows = bars.map(({ who = '', value, isOurs }, i) => {
      const length = Math.max(1, value / most * longest).toFixed(1)
      const top = y + i * ROW
      const place = `x="${left}" y="${top + 1}" width="${length}" height="${ROW - 2}"`
      return `<rect class="${isOurs ? 'ours' : 'theirs'}" ${place}/>
<text x="${left + Number(length) + 8}" y="${top + ROW / 2 + 5}">${value.toFixed(0)} ${unit} ${escapeXml(who)}</text>`
    })
    y += bars.length * ROW + GAP
    return `<text x="${left - 12}" y="${middle}" text-anchor="end">${escapeXml(name)}</text>\n${rows.join('\n')}`
  })
  const label = `role="img" aria-label="${escapeXml(title)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" ${label}><style>${STYLE}</style>
<text class="title" x="12" y="24">${escapeXml(title)}</text>
${drawn.join('\n')}
</svg>
`
}

/** @returns {string} text for SVG, between tags or in quotes that it does not have */
const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

module.exports = { drawBars }
