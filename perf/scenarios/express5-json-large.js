'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'large JSON, 208 KB, on Express 5',
  app: 'express5',
  parsers: { json: { limit: '1mb' } },
  answer: 'tail',
  requests: [json(record(208_000), 208_000)]
}
