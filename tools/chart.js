'use strict'

const echarts = require('echarts')

/** The look that all charts share. */
const TEXT = { fontFamily: 'sans-serif', color: '#212529', fontSize: 13 }
const COLORS = { ours: '#0b7285', other: '#e8590c', neutral: '#868e96' }

/**
 * Draws a chart of ECharts.
 *
 * @param {object} chart
 * @param {number} chart.width
 * @param {number} chart.height
 * @param {string} chart.label what the chart shows, in words, for those who cannot see it
 * @param {import('echarts').EChartsOption} chart.option
 * @returns {string} SVG
 */
function renderChart ({ width, height, label, option }) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption({ animation: false, backgroundColor: '#fff', textStyle: TEXT, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return `${svg.replace('>', ` role="img"><title>${echarts.format.encodeHTML(label)}</title>`)}\n`
}

/** @param {string} text @param {string} [subtext] @returns {object} an option `title` */
function chartTitle (text, subtext) {
  return { text, subtext, left: 16, top: 8, textStyle: { ...TEXT, fontSize: 16 }, subtextStyle: { ...TEXT, fontSize: 12, lineHeight: 16 } }
}

/**
 * Labels of bars: each name has a note below it, and is bold if it has a color.
 *
 * @param {Record<string, string>} notes by name
 * @param {Record<string, string>} colors by name
 * @returns {object} an option `axisLabel`
 */
function notedLabels (notes, colors) {
  const names = Object.keys(notes)
  return {
    ...TEXT,
    interval: 0,
    formatter: (name) => `{name${names.indexOf(name)}|${name}}\n{note|${notes[name]}}`,
    rich: {
      note: { ...TEXT, fontSize: 11, color: '#495057', lineHeight: 15 },
      ...Object.fromEntries(names.map((name, i) => [`name${i}`, colors[name] === undefined ? TEXT : { ...TEXT, color: colors[name], fontWeight: 'bold' }]))
    }
  }
}

/**
 * A series of horizontal lines, such as intervals.
 *
 * @param {[from: number, to: number, at: number | string][]} lines
 * @param {object} [settings] further fields of the series
 */
function rangeSeries (lines, { color = TEXT.color, width = 2, ...settings } = {}) {
  return {
    type: 'custom',
    data: lines,
    encode: { x: [0, 1], y: 2 },
    renderItem (params, api) {
      const [[x1, y1], [x2, y2]] = [0, 1].map((end) => api.coord([api.value(end), api.value(2)]))
      return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: typeof color === 'function' ? color(params.dataIndex) : color, lineWidth: width } }
    },
    ...settings
  }
}

module.exports = { renderChart, chartTitle, notedLabels, rangeSeries, TEXT, COLORS }
