'use strict'

const { competitors } = require('./competitors')
const { REFERENCES, SERIES, rowsOf } = require('./growth')
const strategies = require('./strategies')
const threshold = require('./threshold')

/**
 * Which competitors are measured in which rows.
 *
 * @type {Record<string, { rows: import('./rows/row').Row[], competitors: import('./competitors').Competitor[] }>}
 */
module.exports = {
  work: { rows: require('./rows'), competitors },
  strategies: { rows: require('./rows/strategies'), competitors: strategies },
  threshold: { rows: require('./rows/threshold'), competitors: threshold },
  growth: {
    rows: SERIES.flatMap(rowsOf),
    competitors: competitors.filter(({ name }) => REFERENCES.includes(name))
  }
}
