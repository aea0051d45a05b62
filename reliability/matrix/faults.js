'use strict'

// Faults that the matrix must find: `--inject-fault=NAME`.

const once = (next) => {
  let isCalled = false
  return (...args) => {
    if (!isCalled) next(...args)
    isCalled = true
  }
}

/** @type {Record<string, (parser: Function, options: object) => Function>} */
module.exports = {
  twice: (parser) => (req, res, next) => parser(req, res, (...args) => {
    next(...args)
    next(...args)
  }),
  never: (parser) => (req, res, next) => parser(req, res, (...args) => { if (!req.destroyed) next(...args) }),
  aborted: (parser) => (req, res, next) => {
    const proceed = once(next)
    req.on('aborted', () => proceed(new Error('aborted')))
    parser(req, res, proceed)
  },
  uncaught: (parser) => (req, res, next) => parser(req, res, (...args) => {
    if (req.destroyed) Promise.reject(new Error('injected'))
    next(...args)
  }),
  budget: (parser, { budget }) => (req, res, next) => parser(req, res, (...args) => {
    if (budget && req.destroyed) budget.used++
    next(...args)
  }),
  outcome: (parser) => (req, res, next) => parser(req, res, () => next())
}
