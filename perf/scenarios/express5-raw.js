'use strict'

const { binary } = require('../payloads')
const { raw } = require('../requests')

module.exports = {
  about: 'raw bytes, 300 B, on Express 5',
  app: 'express5',
  parsers: { raw: {} },
  answer: 'tail',
  requests: [raw(binary(300), 300)]
}
