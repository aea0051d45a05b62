'use strict'

// The product of lanes, steps, acts and versions of HTTP.

const { shuffle } = require('../../../tools/random')
const acts = require('./acts')
const { lanes } = require('./lanes')
const steps = require('./steps')

/**
 * @typedef {{ name: string, lane: string, step: string, act: string, http: 1 | 2 }} Cell
 */

/** @param {string[]} words that the name of a cell must contain @returns {Cell[]} */
function allCells (words = []) {
  const cells = []
  for (const lane of Object.keys(lanes)) {
    for (const step of Object.keys(steps)) {
      for (const act of Object.keys(acts)) {
        for (const http of [1, 2]) {
          const cell = { name: `HTTP/${http}: ${lane}: ${act} ${step}`, lane, step, act, http }
          if (isPossible(cell) && words.every((word) => cell.name.includes(word))) cells.push(cell)
        }
      }
    }
  }
  return cells
}

function isPossible ({ lane, step, act, http }) {
  const { hook } = steps[step]
  const { options, parser } = lanes[lane]
  if (hook === 'parse' && (parser !== 'json' || options?.cooperative)) return false // nothing to hook into
  if (hook === 'verify' && ['multipart', 'ndjson'].includes(parser)) return false
  if (acts[act].http !== undefined && acts[act].http !== http) return false
  return !(act === 'throw' && step === 'before the parser') // it would never be called
}

/** A few cells that together have every pair of a lane, a step and an act. */
function reduce (cells, random) {
  const left = new Set(cells.flatMap(pairsOf))
  return shuffle([...cells], random).filter((cell) => {
    const gained = pairsOf(cell).filter((pair) => left.has(pair))
    for (const pair of gained) left.delete(pair)
    return gained.length > 0
  })
}

function pairsOf ({ lane, step, act }) {
  return [`${lane} / ${step}`, `${lane} / ${act}`, `${step} / ${act}`]
}

module.exports = { allCells, reduce }
