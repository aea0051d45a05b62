'use strict'

const UserError = require('../../tools/user-error')

const FORMAT = 'fast-body-parser/bench-result/1'

/**
 * Checks that a file has all that charts are drawn from.
 *
 * @param {any} results as run.js writes them, if nothing was damaged
 * @throws {UserError} that says what is missing
 */
function validateResults (results) {
  for (const name of ['node', 'machine', 'requests']) must(typeof results?.[name] === 'string', name)
  must(isObject(results.versions), 'versions')
  const { rows = [] } = results
  must(Array.isArray(rows), 'rows')
  for (const [index, row] of rows.entries()) {
    must(typeof row?.name === 'string', `name of row ${index}`)
    must(isObject(row.results), `results of "${row.name}"`)
    for (const [name, result] of Object.entries(row.results)) {
      must(isObject(result) && isOutcome(result), `times of ${name} in "${row.name}"`)
    }
  }
}

function isOutcome ({ times, lacks, wrong }) {
  if (times === undefined) return lacks !== undefined || wrong !== undefined
  return Array.isArray(times) && times.length > 0 && times.every((time) => time > 0 && Number.isFinite(time))
}

function isObject (value) {
  return typeof value === 'object' && value !== null
}

function must (holds, what) {
  if (!holds) throw new UserError(`the file has no ${what}`)
}

module.exports = { FORMAT, validateResults }
