'use strict'

// What an app sees of a case, with both.

const theirs = require('multer')
const ours = require('../../lib/types/multer')
const { outcomeOf } = require('../../test/support/multer-outcome')
const { withFault } = require('./faults')
const makeOf = require('./route')

/**
 * @param {import('./case').Case} drawn
 * @param {string | null} [fault] of ours: see ./faults.js
 * @returns {Promise<{ seen: object, expected: object }>} our outcome, and that of multer
 */
async function observe (drawn, fault = null) {
  const make = makeOf(drawn)
  const faulty = (multer, folder) => withFault(make(multer, folder), fault, folder)
  const { body } = drawn
  const [seen, expected] = await Promise.all([outcome(ours, faulty, body), outcome(theirs, make, body)])
  return { seen, expected }
}

/** @returns {(text: string, changes?: object) => Promise<object>} what multer makes of another text */
function askMulter (drawn) {
  return (text, changes) => outcome(theirs, makeOf({ ...drawn, ...changes }), Buffer.from(text, 'latin1'))
}

async function outcome (multer, make, body) {
  const { status, ...seen } = await outcomeOf(multer, { make, body }) // multer's errors have no status
  return seen
}

module.exports = { askMulter, observe }
