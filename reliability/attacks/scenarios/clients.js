'use strict'

// The clients of the scenarios, and what they send.

const { serializeRequest } = require('../../../tools/http-message')
const Talk = require('../../../tools/talk')
const { list } = require('../catalog/fill')

const AT_A_TIME = 100 // connections that are opened

const record = (index) => JSON.stringify({
  id: index,
  name: `user ${index}`,
  email: `user${index}@example.com`,
  active: true,
  tags: ['a', 'b']
})

/** Ordinary JSON. */
const records = (size) => list('[', record, ']', { size })

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

/** @returns {Promise<object>} a sample of the server, after garbage is collected */
async function collected (server) {
  await server.ask('collect')
  return server.ask('sample')
}

module.exports = { collected, connect, post, records }
