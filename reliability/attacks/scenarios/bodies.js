'use strict'

// What the clients of the scenarios send.

const { serializeRequest } = require('../../../tools/http-message')
const { fill, list, MB } = require('../catalog/fill')

const record = (index) => JSON.stringify({ id: index, name: `user ${index}`, email: `user${index}@example.com`, active: true, tags: ['a', 'b'] })

/** Ordinary JSON. */
const records = (size) => list('[', record, ']', size)

/** The dearest for their size that are known: for JSON.parse, and in slices. */
const HOSTILE = {
  brackets: (size = MB) => fill('[', size),
  nested: (size = MB) => fill('[1,', size)
}

/** @returns {Buffer} a whole request */
function post (body, type = 'application/json') {
  return serializeRequest({ headers: { Host: 'scenarios', 'Content-Type': type }, body })
}

module.exports = { HOSTILE, post, records }
