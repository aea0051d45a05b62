'use strict'

const { Readable } = require('node:stream')

/** What a parser makes of a content that it reads without a connection: req.body. */
module.exports = function parseContent (parser, type, content) {
  const bytes = Buffer.from(content)
  const req = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), {
    headers: { 'content-type': type, 'content-length': String(bytes.length) }
  })
  return new Promise((resolve, reject) => parser(req, {}, (error) => error ? reject(error) : resolve(req.body)))
}
