'use strict'

// This package with one fault, named by the environment variable WRONG. Each
// is one that only a few requests show.

const subject = require('../../../..')

const FAULTS = {
  'a limit that is one too high': (parser) => {
    const { limit } = parser.options ?? {}
    return typeof limit === 'number' && limit > 0 ? parser.make({ ...parser.options, limit: limit + 1 }) : parser.make(parser.options)
  },
  'a listener left behind': (parser) => {
    const parse = parser.make(parser.options)
    return (req, res, next) => parse(req, res, (...args) => {
      if (args[0]?.type === 'entity.parse.failed') req.on('end', function leftBehind () {})
      next(...args)
    })
  },
  'next called twice': (parser) => {
    const parse = parser.make(parser.options)
    return (req, res, next) => parse(req, res, (...args) => {
      next(...args)
      if (args[0]?.type === 'entity.too.large') setImmediate(next, ...args)
    })
  },
  'an error that nobody catches': (parser) => {
    const parse = parser.make(parser.options)
    return (req, res, next) => {
      if (req.headers['content-type']?.includes('utf-16')) setImmediate(() => { throw new Error('nobody catches this') })
      parse(req, res, next)
    }
  }
}

const fault = FAULTS[process.env.WRONG]

for (const [name, make] of Object.entries(subject)) {
  exports[name] = (options) => fault({ make, options })
}
