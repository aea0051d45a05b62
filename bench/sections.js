'use strict'

const { competitors } = require('./competitors')
const { REFERENCES, SERIES, rowsOf } = require('./growth')
const strategies = require('./strategies')

/**
 * Which competitors are measured in which rows.
 *
 * @type {Record<string, { rows: import('./rows/row').Row[], competitors: import('./competitors').Competitor[] }>}
 */
module.exports = {
  work: { rows: require('./rows'), competitors },
  strategies: { rows: require('./rows/strategies'), competitors: strategies },
  growth: {
    rows: SERIES.flatMap(rowsOf),
    competitors: competitors.filter(({ name }) => REFERENCES.includes(name))
  }
}
