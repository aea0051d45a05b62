'use strict'

const Table = require('cli-table3')

const EDGES = Object.keys(new Table().options.chars)
const chars = { ...Object.fromEntries(EDGES.map((edge) => [edge, ''])), middle: '  ' }

const WIDTH = 110 // columns of a terminal

/**
 * A table of text: the first column to the left, the others to the right. One that is too wide becomes several, each
 * with the first column and some of the others.
 */
function textTable (head, rows) {
  const text = draw(head, rows)
  const isWide = text.split('\n').some((line) => line.length > WIDTH)
  if (!isWide || head.length < 3) return text
  const half = Math.ceil(head.length / 2)
  const columns = (from, to) => [head, ...rows].map(([first, ...others]) => [first, ...others.slice(from, to)])
  return [columns(0, half - 1), columns(half - 1)].map(([head, ...rows]) => textTable(head, rows)).join('\n\n')
}

function draw (head, rows) {
  const colAligns = head.map((_, i) => i === 0 ? 'left' : 'right')
  const table = new Table({ style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }, colAligns, chars })
  table.push(head, ...rows)
  return table.toString().replace(/^/gm, '  ').replace(/ +$/gm, '')
}

/** The same table in Markdown. */
function markdownTable (head, rows) {
  return [head, ['---', ...Array(head.length - 1).fill('--:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

module.exports = textTable
module.exports.markdownTable = markdownTable
