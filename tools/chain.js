'use strict'

/** One handler that calls several in turn, as a framework does. @param {Function[]} handlers `(req, res, next)` */
module.exports = function chain (handlers) {
  return (req, res, done) => {
    let index = 0
    next()

    function next (error) {
      if (error || index === handlers.length) done(error)
      else handlers[index++](req, res, next)
    }
  }
}
