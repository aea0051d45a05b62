'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

module.exports = {
  about: 'JSON of 150 B to 40 KB in turn, some of it not ASCII, on Express 5',
  app: 'express5',
  parsers: { json: {} },
  answer: 'tail',
  requests: [
    json(record(150), 150),
    json(record(300), 300),
    json(record(6558), 6558),
    json(record(1200, 'naïve café'), 1200),
    json(record(300), 300),
    json(record(900, '日本語 😀'), 900),
    json(record(40_000), 40_000),
    json(record(600), 600)
  ]
}
