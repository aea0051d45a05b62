'use strict'

// What the clients of the scenarios send.

const { serializeRequest } = require('../../../tools/http-message')
const { fill, list } = require('../catalog/fill')

const record = (index) => JSON.stringify({ id: index, name: `user ${index}`, email: `user${index}@example.com`, active: true, tags: ['a', 'b'] })

/** Ordinary JSON. */
const records = (size) => list('[', record, ']', size)

/** The most expensive for its size that is known to parse in slices. */
const nested = (size) => fill('[1,', size)

/** @returns {Buffer} a whole request */
function post (body, type = 'application/json') {
  return serializeRequest({ headers: { Host: 'scenarios', 'Content-Type': type }, body })
}

module.exports = { nested, post, records }
