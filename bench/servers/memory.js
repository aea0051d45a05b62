'use strict'

const { json } = require('../rows/bodies')
const { post } = require('../rows/row')
const { messageOf, withSession } = require('./session')

const LOAD = { connections: 50, bytes: 5e6 }

/**
 * The peak resident set of a server that is sent 50 JSON bodies of 5 MB at a
 * time: after the first body, after one such burst, and after three of them.
 *
 * @param {import('../competitors').Competitor} competitor
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the servers
 * @param {number} settings.holders how many servers, one after the other
 * @param {number} [settings.connections]
 * @param {number} [settings.bytes] of a body
 * @returns {Promise<{ first: number[], one: number[], three: number[] }>} bytes
 */
async function measureMemory ({ name }, { node, holders, connections = LOAD.connections, bytes = LOAD.bytes }) {
  const content = json(bytes)
  const target = {
    name,
    app: { competitor: name, limit: 2 * bytes },
    message: messageOf(post('json', content)),
    expected: { status: 200, body: String(content.value.length) }
  }
  const results = { first: [], one: [], three: [] }
  for (let i = 0; i < holders; i++) {
    await withSession(async (session) => {
      const server = await session.open(target, { node, connections })
      results.first.push((await session.usage(server)).peak)
      await session.burst(server)
      results.one.push((await session.usage(server)).peak)
      await session.burst(server)
      await session.burst(server)
      results.three.push((await session.usage(server)).peak)
    })
  }
  return results
}

module.exports = measureMemory
