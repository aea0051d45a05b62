'use strict'

/** A middleware out of a function from a request to a promise of its body. */
function fromPromise (read) {
  return (req, res, next) => {
    read(req).then((body) => {
      req.body = body
      next()
    }, next)
  }
}

module.exports = fromPromise
