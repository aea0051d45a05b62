'use strict'

/** Makes a middleware of a function that gives a promise of a request's body. */
function fromPromise (read) {
  return (req, res, next) => {
    read(req).then((body) => {
      req.body = body
      next()
    }, next)
  }
}

module.exports = fromPromise
