'use strict'

// The product of lanes, steps, acts and versions of HTTP.

const { product } = require('../product')
const acts = require('./acts')
const lanes = require('./lanes')
const steps = require('./steps')

/**
 * @typedef {{ name: string, lane: string, step: string, act: string, http: 1 | 2 }} Cell
 */

/** Of the fields that matter together. @type {[keyof Cell, keyof Cell][]} */
const PAIRS = [['lane', 'step'], ['lane', 'act'], ['step', 'act']]

/** What a sample has: every lane, and every act at every step. @type {[keyof Cell, keyof Cell][]} */
const SAMPLE = [['lane', 'lane'], ['step', 'act'], ['http', 'http']]

/** @param {string[]} words that the name of a cell must contain @returns {Cell[]} */
function allCells (words = []) {
  const fields = { lane: Object.keys(lanes), step: Object.keys(steps), act: Object.keys(acts), http: [1, 2] }
  return product(fields, ({ lane, step, act, http }) => `HTTP/${http}: ${lane}: ${act} ${step}`, isPossible, words)
}

function isPossible ({ lane, step, act, http }) {
  const { hook } = steps[step]
  const { options, parser } = lanes[lane]
  if (hook === 'parse' && (parser !== 'json' || options?.cooperative)) return false // nothing to hook into
  if (hook === 'verify' && ['multer', 'multipart', 'ndjson', 'jsonArray'].includes(parser)) return false
  if (hook === 'fileFilter' && parser !== 'multer') return false
  if (hook === '_handleFile' && !lane.startsWith('multer engine')) return false
  if (acts[act].http !== undefined && acts[act].http !== http) return false
  return !(act === 'throw' && step === 'before the parser') // it would never be called
}

module.exports = { allCells, PAIRS, SAMPLE }
