'use strict'

// One kind of chart: horizontal bars, each with a note below its name. SVG.

const LEFT = 270 // pixels, for the names
const WIDTH = 420
const TOP = 84
const ROW = 44
const COLORS = { ours: '#0b7285', other: '#e8590c', neutral: '#868e96' }

const escape = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * @param {object} chart
 * @param {string} chart.title
 * @param {string[]} chart.subtitle lines
 * @param {{ name: string, note: string, value: number, color?: 'ours' | 'other' }[]} chart.bars
 * @returns {string} SVG
 */
module.exports = function barChart ({ title, subtitle, bars }) {
  const most = Math.max(...bars.map(({ value }) => value))
  const height = TOP + ROW * bars.length + 8
  const text = (x, y, content, more = '') => `<text x="${x}" y="${y}" ${more}>${escape(content)}</text>`
  const rows = bars.map(({ name, note, value, color = 'neutral' }, i) => {
    const y = TOP + ROW * i
    const width = WIDTH * value / most
    return text(LEFT - 12, y + 16, name, `text-anchor="end"${color === 'neutral' ? '' : ` font-weight="bold" fill="${COLORS[color]}"`}`) +
      text(LEFT - 12, y + 32, note, 'text-anchor="end" font-size="11" fill="#495057"') +
      `<rect x="${LEFT}" y="${y + 6}" width="${width.toFixed(1)}" height="24" fill="${COLORS[color]}"/>` + text(LEFT + width + 8, y + 23, value.toFixed(1))
  })
  const label = `${title}: ${bars.map(({ name, value }) => `${name} ${value.toFixed(1)}`).join(', ')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 60} ${height}" font-family="sans-serif" font-size="13" fill="#212529" role="img"><title>${escape(label)}</title>
<rect width="100%" height="100%" fill="#fff"/>${text(16, 28, title, 'font-size="16" font-weight="bold"')}
${subtitle.map((line, i) => text(16, 48 + 16 * i, line, 'font-size="12" fill="#495057"')).join('\n')}
${rows.join('\n')}
</svg>
`
}
