'use strict'

const { binary, record, words } = require('../payloads')
const { form, get, json, raw, text } = require('../requests')

module.exports = {
  about: 'all four parsers stacked, and a request for each in turn, on Express 5',
  app: 'express5',
  parsers: { json: {}, urlencoded: { extended: true }, text: {}, raw: {} },
  answer: 'tail',
  requests: [
    json(record(300), 300),
    get(),
    form({ id: '4711', name: 'Ada Lovelace', last: 'the-end!' }, 41),
    json(record(300), 300),
    text(words(300), 300),
    get(),
    json(record(300), 300),
    raw(binary(300), 300)
  ]
}
