'use strict'

// This package with one fault, named by the environment variable WRONG. Each
// is one that only a few requests show.

const subject = require('../../../..')

/** Each changes what a parser gets: its options, or `req` and `next` of a call. */
const FAULTS = {
  'a limit that is one too high': {
    change: (options) => options?.limit > 0 && typeof options.limit === 'number' ? { ...options, limit: options.limit + 1 } : options
  },
  'a listener left behind': {
    next: (req, error) => { if (error?.type === 'entity.parse.failed') req.on('end', function leftBehind () {}) }
  },
  'next called twice': {
    next: (req, error, next) => { if (error?.type === 'entity.too.large') setImmediate(next, error) }
  },
  'an error that nobody catches': {
    call (req) {
      if (req.headers['content-type']?.includes('utf-16')) setImmediate(() => { throw new Error('nobody catches this') })
    }
  }
}

const { change = (options) => options, call = () => {}, next: onNext = () => {} } = FAULTS[process.env.WRONG]

for (const [name, make] of Object.entries(subject)) {
  exports[name] = (options) => {
    const parse = make(change(options))
    return (req, res, next) => {
      call(req)
      parse(req, res, (...args) => {
        onNext(req, args[0], next)
        next(...args)
      })
    }
  }
}
