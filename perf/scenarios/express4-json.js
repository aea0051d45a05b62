'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'small JSON, 300 B, on Express 4',
  app: 'express4',
  parsers: { json: {} },
  answer: 'tail',
  requests: [json(record(300), 300)]
}
