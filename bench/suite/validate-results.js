'use strict'

const UserError = require('../../tools/user-error')
const findMismatch = require('../../tools/validate')

const FORMAT = 'fast-body-parser/bench-result/1'
const HEAD = { node: 'string', machine: 'string', requests: 'string', versions: {} }
const ROW = { name: 'string', results: {} }

/**
 * Checks that a file has all that charts are drawn from.
 *
 * @param {any} results as run.js writes them, if nothing was damaged
 * @throws {UserError} that names the first field that is missing or wrong
 */
function validateResults (results) {
  refuse(findMismatch(results, HEAD))
  const { rows = [] } = results
  if (!Array.isArray(rows)) refuse('.rows')
  for (const [index, row] of rows.entries()) {
    refuse(findMismatch(row, ROW, `.rows[${index}]`))
    for (const [name, result] of Object.entries(row.results)) {
      if (!isOutcome(result ?? {})) refuse(`.rows[${index}].results["${name}"]`)
    }
  }
}

function isOutcome ({ times, lacks, wrong }) {
  if (times === undefined) return lacks !== undefined || wrong !== undefined
  return Array.isArray(times) && times.length > 0 && times.every((time) => time > 0 && Number.isFinite(time))
}

function refuse (path) {
  if (path !== null) throw new UserError(`the file has no valid ${path || 'result'}`)
}

module.exports = { FORMAT, validateResults }
