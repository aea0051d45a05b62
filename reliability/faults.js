'use strict'

// Faults that fuzz and matrix must find, `--inject-fault=NAME`: most of them only a few requests show.

const mapValues = require('../tools/map-values')

/** By name: what the parser calls instead of `next`. */
const FAULTS = {
  twice: (req, next) => (...args) => {
    next(...args)
    if (args[0]?.type === 'entity.too.large') setImmediate(next, ...args)
  },
  never: (req, next) => (...args) => { if (!req.destroyed) next(...args) },
  aborted (req, next) {
    let isCalled = false
    const proceed = (...args) => {
      if (!isCalled) next(...args)
      isCalled = true
    }
    req.on('aborted', () => proceed(new Error('aborted')))
    return proceed
  },
  uncaught: (req, next) => (...args) => {
    if (req.destroyed || req.headers['content-type']?.includes('utf-16')) Promise.reject(new Error('injected'))
    next(...args)
  },
  budget: (req, next, { budget }) => (...args) => {
    if (budget && req.destroyed) budget.used++
    next(...args)
  },
  outcome: (req, next) => () => next(),
  listener: (req, next) => (...args) => {
    if (args[0]?.type === 'entity.parse.failed') req.on('end', function leftBehind () {})
    next(...args)
  },
  limit: (req, next) => next // see below
}

/** @returns {Record<string, Function>} these parsers with the fault of this name, or without if that is null */
function withFault (parsers, name) {
  if (name === null) return parsers
  const wrong = (create) => (options) => {
    const isHigher = name === 'limit' && typeof options?.limit === 'number' && options.limit > 0
    const parse = create(isHigher ? { ...options, limit: options.limit + 1 } : options)
    const faulty = (req, res, next) => parse(req, res, FAULTS[name](req, next, options ?? {}))
    return Object.assign(faulty, { read: parse.read }) // as it is: it has no `next`
  }
  const { json, raw, text, urlencoded } = parsers
  return { ...parsers, ...mapValues({ json, raw, text, urlencoded }, wrong) }
}

/** @returns {string[]} names of faults @param {...string} others that the tool cannot see */
const faultsBut = (...others) => Object.keys(FAULTS).filter((name) => !others.includes(name))

module.exports = { FAULTS, faultsBut, withFault }
