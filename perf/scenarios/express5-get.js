'use strict'

const { get } = require('../requests')

module.exports = {
  about: 'GET without a body through all four parsers, on Express 5',
  app: 'express5',
  parsers: { json: {}, urlencoded: { extended: true }, text: {}, raw: {} },
  answer: 'tail',
  requests: [get()]
}
