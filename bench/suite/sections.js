'use strict'

const { competitors } = require('../competitors')
const { REFERENCES, SERIES, rowsOf } = require('../studies/scaling')

/**
 * Which competitors are measured in which rows.
 *
 * @type {Record<string, { rows: import('../rows/row').Row[], competitors: import('../competitors').Competitor[] }>}
 */
module.exports = {
  work: { rows: require('../rows'), competitors },
  strategies: require('../studies/strategies'),
  cooperative: require('../studies/cooperative'),
  scaling: {
    rows: SERIES.flatMap(rowsOf),
    competitors: competitors.filter(({ name }) => REFERENCES.includes(name))
  }
}
