'use strict'

// The clients of the scenarios, and what they send.

const { serializeRequest } = require('../../../tools/http-message')
const Talk = require('../../../tools/talk')
const { fill, list } = require('../catalog/fill')

const AT_A_TIME = 100 // connections that are opened

const record = (index) => JSON.stringify({
  id: index,
  name: `user ${index}`,
  email: `user${index}@example.com`,
  active: true,
  tags: ['a', 'b']
})

/** Ordinary JSON. */
const records = (size) => list('[', record, ']', size)

/** The most expensive text of its size, as far as is known, to parse in slices. */
const nested = (size) => fill('[1,', size)

/** @returns {Buffer} a whole request */
function post (body) {
  return serializeRequest({ headers: { 'Content-Type': 'application/json' }, body })
}

/** @returns {Promise<(Talk | null)[]>} null for each that the server refuses */
async function connect (port, count) {
  const connections = []
  while (connections.length < count) {
    connections.push(...await Promise.all(Array.from({ length: AT_A_TIME }, () => Talk.open(port).catch(() => null))))
  }
  return connections
}

module.exports = { connect, nested, post, records }
