'use strict'

/**
 * Has a file what pictures are drawn from? Half of it would make empty ones.
 *
 * @param {any} results as run.js writes them, if nothing was damaged
 * @throws {Error} that says what is missing
 */
function checkResults (results) {
  for (const name of ['node', 'machine', 'requests']) must(typeof results?.[name] === 'string', name)
  must(isObject(results.versions), 'versions')
  const { rows = [] } = results
  must(Array.isArray(rows), 'rows')
  for (const [index, row] of rows.entries()) {
    must(typeof row?.name === 'string', `name of row ${index}`)
    must(isObject(row.results), `results of "${row.name}"`)
    for (const [who, result] of Object.entries(row.results)) {
      must(isObject(result) && isOutcome(result), `times of ${who} in "${row.name}"`)
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
  if (!holds) throw new Error(`no ${what}`)
}

module.exports = checkResults
