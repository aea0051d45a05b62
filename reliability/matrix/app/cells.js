'use strict'

// The product of lanes, acts, times, clients and versions of HTTP.

const { product } = require('../product')
const behaviours = require('./behaviours')
const lanes = require('./lanes')

/**
 * When the app acts, once it has been given something: each calls `act`.
 *
 * @type {Record<string, (act: () => void, exchange: import('./exchange')) => void>}
 */
const times = {
  'at once': (act) => act(),
  'in a microtask': queueMicrotask,
  'in the next tick': process.nextTick,
  'in an immediate': setImmediate,
  'after the client': (act, { sent }) => sent.then(act)
}

/**
 * @typedef {object} Cell
 * @property {string} name
 * @property {string} lane
 * @property {string} act
 * @property {string} time
 * @property {string} client
 * @property {1 | 2} http
 * @property {string} action the act with its kind, as kinds have acts of the same name
 * @property {string} source the lane without coding and budget
 * @property {string | null} coding
 * @property {boolean} hasBudget
 */

/** Every two of these fields that can matter together. @type {[keyof Cell, keyof Cell][]} */
const PAIRS = [
  ...['source', 'coding', 'hasBudget', 'time', 'client', 'http'].map((field) => ['action', field]),
  ...['source', 'coding', 'hasBudget', 'time', 'http'].map((field) => ['client', field]),
  ['lane', 'http']
]

/** What a sample has: every value of every field. @type {[keyof Cell, keyof Cell][]} */
const SAMPLE = ['action', 'lane', 'time', 'client', 'http'].map((field) => [field, field])

/** @param {string[]} words that the name of a cell must contain @returns {Cell[]} */
function allCells (words = []) {
  const rest = { time: Object.keys(times), client: Object.keys(behaviours), http: [1, 2] }
  return Object.entries(lanes).flatMap(([lane, { acts, coding, hasBudget, kind, source }]) => {
    const fields = {
      ...rest,
      act: Object.keys(acts),
      lane: [lane],
      coding: [coding],
      hasBudget: [hasBudget],
      source: [source]
    }
    return product(fields, nameOf, isPossible, words).map((cell) => ({ ...cell, action: `${kind}: ${cell.act}` }))
  })
}

const nameOf = ({ lane, act, time, client, http }) => `HTTP/${http}: given ${lane}: ${act}, ${time}; client ${client}`

/**
 * What means nothing is left out:
 *
 * - A promise hides what is odd about the value in it, so an act that returns
 *   something odd, or throws, does so at once.
 * - Where the app is given nothing before the body is whole, a client that cuts
 *   it leaves no room for an act.
 */
function isPossible ({ act, client, lane, time }) {
  const { acts, comesWhole } = lanes[lane]
  if (acts[act].hasOneTime && time !== 'at once') return false
  if (!comesWhole || behaviours[client].isWhole) return true
  return act === Object.keys(acts)[0] && time === 'at once' // one cell for all acts
}

module.exports = { allCells, PAIRS, SAMPLE, times }
