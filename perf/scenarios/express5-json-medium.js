'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'medium JSON, 6,558 B, sent back, on Express 5',
  app: 'express5',
  parsers: { json: {} },
  answer: 'echo',
  requests: [json(record(6558), 6558)]
}
