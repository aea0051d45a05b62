'use strict'

const measureCold = require('../measure/cold')
const rows = require('../rows')
const measureRow = require('./measure-row')

// Rounds are short, so that the noise of the machine spares some of them.
const FULL = { rounds: 9, sets: 2, roundTime: 4, warmUp: 160, coldRounds: 5 } // times in ms
const QUICK = { rounds: 8, sets: 1, roundTime: 3, warmUp: 100, coldRounds: 3 }

/** @returns {import('./command').Step[]} a step for each row, and the cold start */
module.exports = function stepsOf ({ quick, node }) {
  const settings = { node: node.path, ...(quick ? QUICK : FULL) }
  return [
    ...rows.map((row) => ({ name: row.name, take: () => measureRow(row, settings) })),
    { name: 'cold start', take: () => measureCold(settings) }
  ]
}
