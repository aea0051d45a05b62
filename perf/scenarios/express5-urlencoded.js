'use strict'

const { form } = require('../requests')

module.exports = {
  about: 'a form of 5 fields, 126 B, on Express 5',
  app: 'express5',
  parsers: { urlencoded: { extended: true } },
  answer: 'tail',
  requests: [form({
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    subject: 'Notes on the engine',
    message: 'See table & figure',
    last: 'the-end!'
  }, 126)]
}
