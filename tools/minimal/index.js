'use strict'

// The least that a parser can do: collect and parse, without limit, type,
// charset, content coding or checks. A baseline for measurements, not for use.
// It is a package of its own, so that npm can install it in place of body-parser.

const querystring = require('node:querystring')

exports.json = () => minimal((bytes) => JSON.parse(bytes.toString()))
exports.urlencoded = () => minimal((bytes) => querystring.parse(bytes.toString()))
exports.text = () => minimal((bytes) => bytes.toString())
exports.raw = () => minimal((bytes) => bytes)
exports.minimal = minimal

/** @param {(bytes: Buffer) => unknown} parse */
function minimal (parse) {
  return (req, res, next) => {
    const chunks = []
    req.on('data', (chunk) => { chunks.push(chunk) })
    req.on('end', () => {
      try {
        req.body = parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
      } catch (error) {
        return next(error)
      }
      next()
    })
  }
}
