'use strict'

// What this package is measured beside.

const querystring = require('node:querystring')
const chain = require('../tools/chain')
const compatibleParsers = require('../tools/compatible')
const { MEDIA_TYPES } = require('./rows/row')

/**
 * @typedef {object} Competitor
 * @property {string} name
 * @property {string[]} checks of those in test/tools/bench/competitors.js; strict: refuses JSON that is neither object
 *   nor array
 * @property {string[]} supports what a row may require
 * @property {(kind: string, options: object, work: object) => Function | Promise<Function>} create
 *   makes a middleware `(req, res, next)` that sets `req.body`
 */

/** By the name of the parser. @type {Record<string, (bytes: Buffer, reviver?: Function) => unknown>} */
const PARSERS = {
  json: (bytes, reviver) => JSON.parse(bytes.toString(), reviver),
  urlencoded: (bytes) => querystring.parse(bytes.toString()),
  text: (bytes) => bytes.toString(),
  raw: (bytes) => bytes
}

/** The handler that checks nothing: the least that the work can cost. */
const minimal = {
  name: 'minimal',
  checks: [],
  supports: [
    'json', 'gzip', 'deflate', 'br', 'raw', 'text', 'form', 'lenient', 'reviver',
    'GET', 'type check',
    // It is the baseline because it ignores these.
    'charset', 'types', 'verify'
  ],

  create (kind, { reviver }, { headers, skips }) {
    if (skips || !headers['Content-Type'].startsWith(MEDIA_TYPES[kind])) return (req, res, next) => next()
    const decode = compatibleParsers.DECODERS[headers['Content-Encoding']]
    return (req, res, next) => {
      const chunks = []
      req.on('data', (chunk) => { chunks.push(chunk) })
      req.on('end', () => {
        const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
        req.body = PARSERS[kind](decode === undefined ? bytes : decode(bytes), reviver)
        next()
      })
    }
  }
}

/** The least that a drop-in replacement can cost: see ../tools/compatible. */
const compatible = {
  name: 'compatible',
  checks: [],
  supports: minimal.supports.filter((ability) => ability !== 'type check'),

  create (kind, { reviver }) {
    if (reviver === undefined) return compatibleParsers[kind]()
    return compatibleParsers.compatible((bytes) => JSON.parse(bytes.toString(), reviver))
  }
}

const SUPPORTS = [
  'json', 'raw', 'text', 'form', 'nested form', 'gzip', 'deflate', 'br', 'charset', 'types',
  'lenient', 'reviver', 'verify', 'GET', 'type check', 'length limit', 'byte limit',
  'json errors', 'charset errors'
]

/** One with body-parser's interface. */
function createCompetitor (name, id, supports = SUPPORTS) {
  return {
    name,
    checks: ['type', 'length', 'limit', 'charset', 'coding', 'strict'],
    supports,
    create: (kind, options) => require(id)[kind](options)
  }
}

const bodyParsers = [
  createCompetitor('ours', '..'),
  createCompetitor('body-parser', 'body-parser'),
  createCompetitor('body-parser 1', 'body-parser-1', SUPPORTS.filter((need) => need !== 'br'))
]

/**
 * Its middlewares ignore the media type unless they are given a function for it.
 * After an error it calls `next` a second time, so it is not in those rows.
 */
const milliparsec = {
  name: 'milliparsec',
  checks: ['limit'],
  supports: ['json', 'raw', 'text', 'form', 'lenient', 'reviver', 'GET'],

  async create (kind, { limit, reviver }) {
    const parsers = await import('milliparsec')
    return parsers[kind]({ payloadLimit: limit, reviver })
  }
}

/** @type {Competitor[]} */
const competitors = [minimal, compatible, ...bodyParsers, milliparsec]

/** The abilities that the row requires and the competitor lacks. */
function missing (row, competitor) {
  return row.requires.filter((ability) => !competitor.supports.includes(ability))
}

/**
 * @param {Competitor} competitor
 * @param {import('./rows/row').Work} work
 * @returns {Promise<(req: object, res: object, next: Function) => void>}
 */
async function createHandler (competitor, work) {
  const handlers = await Promise.all(work.parsers.map(([kind, options]) => competitor.create(kind, options, work)))
  // The series of stacked parsers begins with one, so even one is a stack.
  return handlers.length === 1 && !work.skips ? handlers[0] : chain(handlers)
}

module.exports = { competitors, createHandler, missing }
