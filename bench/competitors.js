'use strict'

// What this package is measured beside.

const querystring = require('node:querystring')
const compatibleParsers = require('../tools/compatible')

/**
 * @typedef {object} Competitor
 * @property {string} name
 * @property {string[]} checks of those in test/tools/bench/competitors.js; strict: refuses JSON that is neither object
 *   nor array
 * @property {string[]} lacks what a row may require
 * @property {(kind: string, options: object, headers: object) => Function | Promise<Function>} create
 *   makes a middleware `(req, res, next)` that sets `req.body`
 */

/** By the name of the parser. @type {Record<string, (bytes: Buffer, reviver?: Function) => unknown>} */
const PARSERS = {
  json: (bytes, reviver) => JSON.parse(bytes.toString(), reviver),
  urlencoded: (bytes) => querystring.parse(bytes.toString()),
  text: (bytes) => bytes.toString(),
  raw: (bytes) => bytes
}

/** The handler that checks nothing: the least that the work can cost. It ignores charset, type and verify. */
const minimal = {
  name: 'minimal',
  checks: [],
  lacks: ['nested form'],

  create (kind, { reviver }, headers) {
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
  lacks: ['nested form'],

  create (kind, { reviver }) {
    if (reviver === undefined) return compatibleParsers[kind]()
    return compatibleParsers.compatible((bytes) => JSON.parse(bytes.toString(), reviver))
  }
}

/** One with body-parser's interface. */
const bodyParser = (name, id, lacks = []) => ({
  name,
  checks: ['type', 'length', 'limit', 'charset', 'coding', 'strict'],
  lacks,
  create: (kind, options) => require(id)[kind](options)
})

/** Its middlewares ignore the media type unless they are given a function for it. */
const milliparsec = {
  name: 'milliparsec',
  checks: ['limit'],
  lacks: ['gzip', 'deflate', 'br', 'charset', 'types', 'verify', 'nested form'],

  async create (kind, { limit, reviver }) {
    const parsers = await import('milliparsec')
    return parsers[kind]({ payloadLimit: limit, reviver })
  }
}

/** @type {Competitor[]} */
const competitors = [
  minimal,
  compatible,
  bodyParser('ours', '..'),
  bodyParser('body-parser', 'body-parser'),
  bodyParser('body-parser 1', 'body-parser-1', ['br']),
  milliparsec
]

/** Those that can do what a row requires. @param {import('./rows').Row} row */
const ableTo = ({ requires }) => competitors.filter(({ lacks }) => !lacks.includes(requires))

module.exports = { ableTo, competitors }
