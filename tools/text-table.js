'use strict'

const Table = require('cli-table3')

const EDGES = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right',
  'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid']
const NO_BORDER = { ...Object.fromEntries(EDGES.map((edge) => [edge, ''])), middle: '  ' }

/**
 * A table of text: the first column to the left, the others to the right.
 *
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @param {{ border?: boolean }} [settings] with lines around the cells?
 * @returns {string}
 */
function textTable (head, rows, { border = false } = {}) {
  const colAligns = head.map((_, i) => i === 0 ? 'left' : 'right')
  const style = { head: [], border: [], compact: true, ...(border ? {} : { 'padding-left': 0, 'padding-right': 0 }) }
  const table = border ? new Table({ head, style, colAligns }) : new Table({ style, colAligns, chars: NO_BORDER })
  table.push(...(border ? rows : [head, ...rows]))
  return border ? table.toString() : table.toString().replace(/^/gm, '  ').replace(/ +$/gm, '')
}

/**
 * The same table in Markdown.
 *
 * @param {string[]} head
 * @param {(string | number)[][]} rows a line break in a cell becomes a comma
 * @returns {string}
 */
function markdownTable (head, rows) {
  return [head, ['---', ...Array(head.length - 1).fill('--:')], ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('\n', ', ')).join(' | ')} |`).join('\n')
}

module.exports = textTable
module.exports.markdownTable = markdownTable
