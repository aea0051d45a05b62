'use strict'

const { Client } = require('undici')
const { split } = require('../../tools/http-message')
const { expectedOf } = require('../scenarios')

/**
 * Sends each request of a scenario once.
 *
 * @param {import('../scenarios').Scenario} scenario
 * @param {{ url: string, answer: 'tail' | 'echo' | 'echoAll' }} settings what the server answers with
 * @returns {Promise<{ problem: string | null, lacks: string | null }>} what is
 *   wrong with a response; a content coding that the server does not know
 */
module.exports = async function check (scenario, { url, answer }) {
  const client = new Client(url)
  try {
    for (const request of scenario.requests) {
      const expected = expectedOf(request, answer, new URL(url).host)
      const response = await client.request(toUndici(request))
      const body = Buffer.from(await response.body.arrayBuffer()).toString('latin1')
      if (response.statusCode === 415 && request.coding !== undefined) return { problem: null, lacks: request.coding }
      if (response.statusCode !== expected.status) {
        return { problem: `status ${response.statusCode} instead of ${expected.status}: ${body.slice(0, 200)}`, lacks: null }
      }
      if (body !== expected.body) return { problem: 'the answer is not what was sent', lacks: null }
    }
    return { problem: null, lacks: null }
  } catch (error) {
    return { problem: error.message, lacks: null }
  } finally {
    await client.destroy()
  }
}

function toUndici ({ method, headers, body, chunks }) {
  const content = chunks === undefined ? body : split(body, chunks)
  return { method, path: '/', headers, body: method === 'GET' ? null : content }
}

module.exports.toUndici = toUndici
