'use strict'

// Draws the pictures again: `npm run bench:report -- [FILE]`, FILE being what
// --json wrote.

const fs = require('node:fs')
const path = require('node:path')

const DEFAULT = path.join(__dirname, 'result.json')
const FOLDER = path.join(__dirname, 'pictures')

function main (argv) {
  if (argv.length > 1) throw new Error('one file is enough')
  const [file = DEFAULT] = argv
  const results = JSON.parse(fs.readFileSync(file, 'utf8'))
  require('./install').installCompetitors()
  const draw = require('./pictures')
  const echarts = require('echarts')

  const pictures = Object.entries(draw(results))
  if (pictures.length === 0) throw new Error(`nothing to draw in ${file}`)
  fs.mkdirSync(FOLDER, { recursive: true })
  for (const [name, { width, height, option }] of pictures) {
    const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
    chart.setOption(option)
    fs.writeFileSync(path.join(FOLDER, `${name}.svg`), chart.renderToSVGString())
    chart.dispose()
  }
}

try {
  main(process.argv.slice(2))
} catch (error) {
  console.error(`bench: ${error.message}`)
  process.exitCode = 1
}
