'use strict'

// What is left if nobody wants the body: Node's server reads it off.

exports.json = exports.urlencoded = exports.text = exports.raw = () => discard

function discard (req, res, next) {
  req.on('end', next)
  req.resume()
}
