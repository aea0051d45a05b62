'use strict'

// Code that does something with a request which a parser reads: the outcome is
// the same as with body-parser.

const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Rows for a body of declared length, and for the same in chunks. */
function both (it, interfere) {
  const make = (bodyParser) => {
    const parser = bodyParser.json()
    return (req, res, next) => interfere(() => parser(req, res, next), req, res)
  }
  const row = { it, make, headers: JSON_TYPE, body: '{"a":1}', expect: { body: { a: 1 } } }
  return [row, { ...row, it: `${it}, in chunks`, chunked: true }]
}

describe('code beside a parser', () => {
  table([
    ...both('may resume the request a tick later', (parse, req) => {
      parse()
      process.nextTick(() => req.resume())
    }),
    ...both('may pause the request for a turn', (parse, req) => {
      parse()
      req.pause()
      setImmediate(() => req.resume())
    }),
    ...both('may listen to the same events', (parse, req) => {
      parse()
      req.on('data', () => {}).on('end', () => {})
    }),
    ...both('may end the response before the request is parsed', (parse, req, res) => {
      res.end('early')
      parse()
    })
  ])
})
