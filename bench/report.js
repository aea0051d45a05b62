'use strict'

// Draws the pictures again: `npm run bench:report -- [FILE]`, FILE being what
// --json wrote.

const fs = require('node:fs')
const path = require('node:path')
const checkResults = require('./results')

const DEFAULT = path.join(__dirname, 'result.json')
const FOLDER = path.join(__dirname, 'pictures')

function main (argv) {
  if (argv.length > 1) throw new Error('one file is enough')
  const [file = DEFAULT] = argv
  const results = read(file)
  require('./install').installCompetitors()
  const draw = require('./pictures')

  const pictures = Object.entries(draw(results)).map(([name, picture]) => [name, render(picture)])
  if (pictures.length === 0) throw new Error(`nothing to draw in ${file}`)
  fs.mkdirSync(FOLDER, { recursive: true })
  for (const [name, svg] of pictures) fs.writeFileSync(path.join(FOLDER, `${name}.svg`), svg)
}

/** @throws {Error} unless the file holds what --json writes */
function read (file) {
  const text = fs.readFileSync(file, 'utf8')
  try {
    const results = JSON.parse(text)
    checkResults(results)
    return results
  } catch (error) {
    throw new Error(`${file} is not what --json writes: ${error.message}`)
  }
}

function render ({ width, height, option }) {
  const echarts = require('echarts')
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

try {
  main(process.argv.slice(2))
} catch (error) {
  console.error(`bench: ${error.message}`)
  process.exitCode = 1
}
