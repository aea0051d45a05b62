'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'medium JSON, 6,558 B, sent back, on node:http',
  app: 'http',
  parsers: { json: {} },
  answer: 'echo',
  requests: [json(record(6558), 6558)]
}
