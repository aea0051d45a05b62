'use strict'

// Where attacks are sent: parsers, and yardsticks for the same requests. Each is
// loaded only in a server of its own.

const path = require('node:path')

/** Reads the body off, as Node's server does with a body that nothing reads. */
const discard = () => (req, res, next) => {
  req.on('end', next)
  req.resume()
}

const OURS = path.join(__dirname, '../..')

function cooperative ({ json, ...others }) {
  return { ...others, json: (options) => json({ ...options, cooperative: true }) }
}

/** @type {Record<string, (folder?: string) => object>} name -> loads what has `json`, `raw`, `text` and `urlencoded` */
module.exports = {
  'fast-body-parser': (folder = OURS) => require(folder),
  'fast-body-parser, cooperative': (folder = OURS) => cooperative(require(folder)),
  'body-parser': () => require('body-parser'),
  bare: () => require('../../tools/bare'), // the cost of collecting and parsing alone
  discard: () => ({ json: discard, raw: discard, text: discard, urlencoded: discard }) // the cost of Node's own server
}
