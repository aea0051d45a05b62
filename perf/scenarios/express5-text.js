'use strict'

const { words } = require('../payloads')
const { text } = require('../requests')

module.exports = {
  about: 'text, 300 B, on Express 5',
  app: 'express5',
  parsers: { text: {} },
  answer: 'tail',
  requests: [text(words(300), 300)]
}
