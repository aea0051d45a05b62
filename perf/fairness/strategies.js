'use strict'

// What a server can do about large JSON bodies. Small ones are parsed by this
// package, unless the strategy is about all bodies.

const parsers = require('./parsers')

const LIMIT = '1gb'
const LARGE = 256 * 1024 // bytes; the threshold of `cooperative`

/**
 * @typedef {object} Strategy
 * @property {string} id
 * @property {string} name
 * @property {string} [package]
 * @property {boolean} [alone] without large posts: the baseline
 * @property {(settings: { slice: number }) => (req: object, res: object, next: Function) => void} create
 */

function ordinary () {
  return require('../..').json({ limit: LIMIT })
}

/** @returns {Strategy['create']} */
function largeBy (parser) {
  return () => {
    const parseSmall = ordinary()
    return (req, res, next) => {
      if (!(req.headers['content-length'] > LARGE)) return parseSmall(req, res, next)
      parser.parse(req).then((value) => {
        req.body = value
        next()
      }).catch(next)
    }
  }
}

/** @type {Strategy[]} */
module.exports = [
  { id: 'alone', name: 'no large posts', alone: true, create: ordinary },
  {
    id: 'body-parser',
    name: 'body-parser',
    package: 'body-parser',
    create: () => require('body-parser').json({ limit: LIMIT })
  },
  { id: 'ordinary', name: 'ours', create: ordinary },
  {
    id: 'cooperative',
    name: 'ours, cooperative',
    create: ({ slice }) => require('../..').json({ limit: LIMIT, cooperative: { slice, threshold: LARGE } })
  },
  ...Object.entries(parsers).map(([id, parser]) => ({ id, name: parser.name, package: parser.package, create: largeBy(parser) }))
]
