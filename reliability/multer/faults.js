'use strict'

// Faults that the fuzzer must find, `--inject-fault=NAME`.

const fs = require('node:fs')
const path = require('node:path')

/** By name: changes what a handler of the app sees. @type {Record<string, (parts: object) => void>} */
const FAULTS = {
  twice ({ next, error }) {
    next(error)
    setImmediate(next, error)
  },
  swallowed: ({ next, error }) => next(error?.message === 'Malformed part header' ? undefined : error),
  code ({ next, error }) {
    if (error?.code === 'LIMIT_FIELD_COUNT') error.code = 'LIMIT_PART_COUNT'
    next(error)
  },
  before ({ req, next, error }) {
    const [last] = Object.keys(req.body ?? {}).slice(-1)
    if (error && last !== undefined) delete req.body[last]
    next(error)
  },
  behind ({ req, next, error }) {
    if (error && req.body) req.body.behind = '1'
    next(error)
  },
  left ({ folder, next, error }) {
    if (error) fs.writeFileSync(path.join(folder, 'left'), 'x')
    next(error)
  },
  value ({ req, next, error }) {
    for (const [name, value] of Object.entries(req.body ?? {})) if (value === '1') req.body[name] = '2'
    next(error)
  }
}

/**
 * @param {Function} upload a middleware
 * @param {string | null} name of the fault
 * @param {string} folder of its files
 */
function withFault (upload, name, folder) {
  if (name === null) return upload
  return (req, res, next) => upload(req, res, (error) => FAULTS[name]({ req, next, error, folder }))
}

module.exports = { FAULTS: Object.keys(FAULTS), withFault }
