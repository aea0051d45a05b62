'use strict'

// The product of lanes, acts, steps, clients and versions of HTTP.

const { behaviours } = require('./behaviours')
const lanes = require('./lanes')
const { product } = require('./product')
const steps = require('./steps')

/** Every two of these fields that can matter together. */
const PAIRS = [
  ...['source', 'coding', 'hasBudget', 'step', 'client', 'http'].map((field) => ['action', field]),
  ...['source', 'coding', 'hasBudget', 'step', 'http'].map((field) => ['client', field]),
  ['source', 'step'],
  ['lane', 'http']
]

/** What a sample has: every value of every field. */
const SAMPLE = ['action', 'lane', 'step', 'client', 'http'].map((field) => [field, field])

const SLOW = ['slow']
const STEPS = Object.keys(steps)
const APPS_STEPS = STEPS.filter((name) => steps[name].wait !== undefined)

/**
 * @param {string[]} words that the name of a cell must contain
 * @returns {object[]} cells; `action` is the act with its kind, `source` the lane without coding and budget
 */
function allCells (words = []) {
  return Object.entries(lanes).flatMap(([lane, { acts, coding, guards, isGiven, kind, source }]) => {
    const fields = {
      lane: [lane],
      source: [source],
      coding: [coding],
      hasBudget: [guards !== undefined],
      step: isGiven ? APPS_STEPS : STEPS,
      client: isGiven ? Object.keys(behaviours) : SLOW,
      http: [1, 2],
      act: Object.keys(acts)
    }
    return product(fields, nameOf, isPossible, words).map((cell) => ({ ...cell, action: `${kind}: ${cell.act}` }))
  })
}

const nameOf = ({ lane, act, step, client, http }) =>
  `HTTP/${http}: ${lane}: ${act}, ${step}${lanes[lane].isGiven ? `; client ${client}` : ''}`

const isPossible = (cell) => (lanes[cell.lane].isGiven ? isPossibleOfApp : isPossibleOfRequest)(cell)

function isPossibleOfRequest ({ lane, step, act, http }) {
  const { hook, isOfApp } = steps[step]
  const { acts, options, parser } = lanes[lane]
  if (isOfApp) return false
  if (hook === 'parse' && (parser !== 'json' || options?.cooperative)) return false // nothing to hook into
  if (hook === 'verify' && !['json', 'raw'].includes(parser)) return false
  if (hook === 'fileFilter' && parser !== 'multer') return false
  if ((acts[act].http ?? http) !== http) return false
  return !(acts[act].throws && step === 'before the parser') // it would never be called
}

/**
 * An act that returns something odd does so at once, as a promise hides that. Where the app is given nothing before the
 * body is whole, a client that cuts it leaves no room for an act.
 */
function isPossibleOfApp ({ act, client, lane, step }) {
  const { acts, comesWhole } = lanes[lane]
  if (acts[act].hasOneTime && step !== 'at once') return false
  if (!comesWhole || behaviours[client].isWhole) return true
  return act === Object.keys(acts)[0] && step === 'at once' // one cell for all acts
}

module.exports = { allCells, PAIRS, SAMPLE }
