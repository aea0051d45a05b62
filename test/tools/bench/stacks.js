'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { createServer, stacks } = require('../../../bench/stacks-app')
const { listen, stop } = require('../../../tools/local-server')

const NAMED = '{"name":"x"}'

/** A request that the check refuses or leaves unread. */
const CHECKS = [
  ['type', { 'content-type': 'text/html' }, NAMED],
  ['limit', {}, JSON.stringify({ name: 'x', more: ' '.repeat(2 ** 21) })],
  ['charset', { 'content-type': 'application/json; charset=foo' }, NAMED],
  ['coding', { 'content-encoding': 'foo' }, NAMED],
  ['strict', {}, '"text"', 400],
  ['__proto__', {}, '{"name":"x","__proto__":{"a":1}}']
]

describe('the stacks of bench/', () => {
  for (const { name, checks } of stacks) {
    it(`${name} makes the checks that it claims, and no other`, async () => {
      const server = await createServer({ stack: name })
      const port = await listen(server)
      const send = async (headers, body) => {
        const response = await fetch(`http://127.0.0.1:${port}`,
          { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
        return { status: response.status, text: await response.text() }
      }
      try {
        assert.deepEqual(await send({}, NAMED), { status: 200, text: NAMED })
        const made = []
        for (const [check, headers, body, refusal] of CHECKS) {
          const { status, text } = await send(headers, body)
          if (refusal === undefined ? text !== NAMED : status === refusal) made.push(check)
        }
        assert.deepEqual(made.sort(), [...checks].sort())
      } finally {
        stop(server)
      }
    })
  }
})
