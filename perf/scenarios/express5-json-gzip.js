'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'JSON of 2,000 B, content coding gzip, on Express 5',
  app: 'express5',
  parsers: { json: {} },
  answer: 'tail',
  requests: [json(record(2000), 2000, { coding: 'gzip' })]
}
