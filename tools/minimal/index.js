'use strict'

// The least that a parser can do: collect and parse, without limit, type,
// charset, content coding or checks. A baseline for measurements, not for use.
// It is a package of its own, so that npm can install it in place of body-parser.

const querystring = require('node:querystring')

/** By the name of the parser. @type {Record<string, (bytes: Buffer) => unknown>} */
const PARSERS = {
  json: (bytes) => JSON.parse(bytes.toString()),
  urlencoded: (bytes) => querystring.parse(bytes.toString()),
  text: (bytes) => bytes.toString(),
  raw: (bytes) => bytes
}

for (const [name, parse] of Object.entries(PARSERS)) exports[name] = () => minimal(parse)
exports.minimal = minimal
exports.PARSERS = PARSERS

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
