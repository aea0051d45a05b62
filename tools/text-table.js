'use strict'

const Table = require('cli-table3')

const EDGES = Object.keys(new Table().options.chars)
const chars = { ...Object.fromEntries(EDGES.map((edge) => [edge, ''])), middle: '  ' }

/**
 * A table of text: the first column to the left, the others to the right.
 *
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @returns {string}
 */
function textTable (head, rows) {
  const colAligns = head.map((_, i) => i === 0 ? 'left' : 'right')
  const table = new Table({ style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }, colAligns, chars })
  table.push(head, ...rows)
  return table.toString().replace(/^/gm, '  ').replace(/ +$/gm, '')
}

/**
 * The same table in Markdown.
 *
 * @param {string[]} head
 * @param {(string | number)[][]} rows a line break in a cell becomes a comma, and `__proto__` does not become bold
 * @returns {string}
 */
function markdownTable (head, rows) {
  return [head, ['---', ...Array(head.length - 1).fill('--:')], ...rows]
    .map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n')
}

const cellOf = (cell) => String(cell).replaceAll('\n', ', ').replaceAll('__', '\\_\\_')

module.exports = textTable
module.exports.markdownTable = markdownTable
