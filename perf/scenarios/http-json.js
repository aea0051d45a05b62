'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'small JSON, 300 B, on node:http',
  app: 'http',
  parsers: { json: {} },
  answer: 'tail',
  requests: [json(record(300), 300)]
}
