'use strict'

/**
 * @param {string[][]} rows of a table, its head first
 * @returns {string[]} lines with the columns below each other, all but the first to the right
 */
function align (rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) => '  ' + row.map((cell, i) => i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])).join('  ').trimEnd())
}

module.exports = align
