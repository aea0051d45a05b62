'use strict'

// `read` of every middleware: a promise of the body.

/** Intentionally module-level: request -> middleware -> promise. Weak: an entry lasts as long as its request. */
const readings = new WeakMap()

/**
 * @returns {Promise<unknown>} of `req.body`; the same for the same middleware.
 *   Another one gets its turn when the reading before has not failed
 */
module.exports = function readBody (middleware, req, res) {
  if (typeof req.headers.get === 'function') return Promise.reject(new TypeError("a Request of the web is for require('fast-body-parser/web')"))
  const promises = readings.get(req) ?? new Map()
  if (promises.has(middleware)) return promises.get(middleware)
  const run = () => new Promise((resolve, reject) => {
    middleware(req, res, (...error) => error.length === 0 ? resolve(req.body) : reject(error[0]))
  })
  const promise = [...promises.values()].at(-1)?.then(run) ?? run()
  readings.set(req, promises.set(middleware, promise))
  return promise
}
