'use strict'

const { record } = require('../payloads')
const { bad, json } = require('../requests')

const good = json(record(300), 300)
const CUT = '{"id":4711,"name":"Ada'

module.exports = {
  about: 'small JSON, 300 B, and one bad request in four, on Express 5',
  app: 'express5',
  parsers: { json: { limit: '1kb' } },
  answer: 'tail',
  requests: [
    good, good, good,
    bad('application/json', CUT, 22, 400, 'entity.parse.failed'),
    good, good, good,
    bad('application/json', `"${'x'.repeat(2046)}"`, 2048, 413, 'entity.too.large'),
    good, good, good,
    bad('application/json; charset=latin1', '{"id":4711}', 11, 415, 'charset.unsupported')
  ]
}
