'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'JSON of 2,000 B in chunked transfer coding, 4 chunks, on Express 5',
  app: 'express5',
  parsers: { json: {} },
  answer: 'tail',
  requests: [json(record(2000), 2000, { chunks: 4 })]
}
