'use strict'

const echarts = require('echarts')

/**
 * Draws a chart of ECharts.
 *
 * @param {{ width: number, height: number, option: import('echarts').EChartsOption }} chart
 * @returns {string} SVG
 */
module.exports = function renderChart ({ width, height, option }) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption({ animation: false, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}
