'use strict'

// Two copies of this package in one process: express has one in place of
// body-parser, and the app another. They know each other's errors, requests and
// connections, also where they are of two versions.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const express = require('express')
const own = require('fast-body-parser')
const { isFinished } = require('../lib/core/request/facts')
const loadCopy = require('./support/load-copy')
const { version } = require('../package.json')
const schemaOf = require('./support/schema-of')

const buffered = true
const TYPES = { json: 'application/json', text: 'text/plain', xml: 'text/xml', records: 'application/x-ndjson' }

/** An app of these handlers; gives what it answers, and the codes of warnings. */
async function ask (handlers, { type, headers = { 'content-type': type }, body }) {
  const app = express().set('env', 'test')
  for (const handler of handlers) app.use(handler)
  const codes = []
  const note = ({ code }) => codes.push(code)
  process.on('warning', note)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const response = await fetch(`http://127.0.0.1:${server.address().port}`, { method: 'POST', headers, body })
    return { status: response.status, headers: response.headers, text: await response.text(), codes }
  } finally {
    process.removeListener('warning', note)
    server.closeAllConnections()
    server.close()
  }
}

/** Calls `act` in place of the last handler; gives what it gives. */
async function within (handlers, request, act) {
  let result
  const handler = async (req, res) => {
    try {
      result = { value: await act(req, res) }
    } catch (error) {
      result = { error }
    }
    res.end()
  }
  await ask([...handlers, handler], request)
  if (result === undefined) throw new Error('the handler was not called')
  if (result.error !== undefined) throw result.error
  return result.value
}

const answer = (req, res) => res.json(req.body ?? null)
const schema = schemaOf((value) => ({ value }))

for (const [what, other] of [['the same version', loadCopy(version)()], ['another version', loadCopy('2.5.117')()]]) {
  describe(`two copies, of ${what}`, () => {
    for (const [names, one, two] of [
      ['the first and the second', own, other],
      ['the second and the first', other, own]
    ]) {
      describe(`in the parts of ${names}`, () => {
        const { problemDetails, refuseUnparsed } = two

        for (const [fault, parser, request, code] of [
          ['JSON', one.json(), { type: TYPES.json, body: '{' }, 'entity.parse.failed'],
          ['a length', one.json({ limit: 1 }), { type: TYPES.json, body: '[1]' }, 'entity.too.large'],
          ['a charset', one.json(), { type: `${TYPES.json}; charset=x`, body: '{}' }, 'charset.unsupported'],
          ['a type', one.refuseUnparsed(), { type: TYPES.xml, body: 'x' }, 'media.type.unsupported']
        ]) {
          it(`have one problemDetails, for ${fault}`, async () => {
            const { headers, text } = await ask([parser, answer, problemDetails()], request)
            assert.equal(headers.get('content-type'), 'application/problem+json')
            assert.equal(JSON.parse(text).code, code)
          })
        }

        it('have one problemDetails, which names the codings that are taken', async () => {
          const headers = { 'content-type': TYPES.json, 'content-encoding': 'x' }
          const { headers: answered } = await ask([one.json({ inflate: false }), answer, problemDetails()],
            { headers, body: '{}' })
          assert.equal(answered.get('accept-encoding'), 'identity')
        })

        it('have one problemDetails, which keeps the errors of the app to itself', async () => {
          const verify = () => { throw new Error('secret') }
          const { status, text } = await ask([one.json({ verify }), answer, problemDetails()],
            { type: TYPES.json, body: '{}' })
          assert.deepEqual([status, text.includes('secret'), JSON.parse(text).title], [403, false, 'Forbidden'])
        })

        it('have one refuseUnparsed, which passes what a loop is to read', async () => {
          const handlers = [one.ndjson(), refuseUnparsed(), async (req, res) => {
            const records = []
            for await (const record of req.body) records.push(record)
            res.json(records)
          }]
          const { status, text } = await ask(handlers, { type: TYPES.records, body: '[1]\n[2]' })
          assert.deepEqual([status, text], [200, '[[1],[2]]'])
        })

        it('have one refuseUnparsed, which names the types of both, and warns of no wrong order', async () => {
          for (const [handlers, accept] of [
            [[one.json(), refuseUnparsed()], 'application/json'],
            [[one.json(), two.text(), refuseUnparsed()], 'application/json, text/plain'],
            [[one.json(), two.text({ schema })], 'application/json, text/plain']
          ]) {
            const { codes, headers, status } = await ask([...handlers, answer], { type: TYPES.xml, body: 'x' })
            assert.deepEqual([status, headers.get('accept'), codes], [415, accept, []])
          }
        })

        it('give the same body, or error, by read', async () => {
          const readBoth = (req, res) =>
            Promise.allSettled([one.json().read(req, res), two.json().read(req, res), one.text().read(req, res)])
          const parsed = await within([], { type: TYPES.json, body: '[1]' }, readBoth)
          assert.deepEqual(parsed.map(({ value }) => value), [[1], [1], [1]])
          const refused = await within([], { type: TYPES.json, body: '{' }, readBoth)
          assert.equal(refused[0].reason.type, 'entity.parse.failed')
          for (const { reason } of refused) assert.equal(reason, refused[0].reason)
        })

        it('give the same error by read after the first one has failed', async () => {
          const [first, second] = await within([], { type: TYPES.json, body: '{' }, async (req, res) => {
            const [first] = await Promise.allSettled([one.json().read(req, res)])
            return [first, ...await Promise.allSettled([two.text().read(req, res)])]
          })
          assert.equal(first.reason, second.reason)
        })

        it('parse what was read before once, with buffered', async () => {
          const [req, res] = [{ headers: { 'content-type': TYPES.json }, body: '"[1]"' }, {}]
          for (const { json } of [one, two]) {
            await new Promise((resolve) => json({ buffered, strict: false })(req, res, resolve))
            assert.equal(req.body, '[1]')
          }
        })

        it('give an error that the app throws twice fields of its own for each request', async () => {
          const error = new Error('constant')
          const throwIt = async () => { throw error }
          const errors = []
          for (const { json, text } of [one, two]) {
            for (const [parser, type, body] of [
              [json({ verify: throwIt }), TYPES.json, '{"a":1}'],
              [text({ verify: throwIt }), TYPES.text, 'x']
            ]) {
              await ask([parser, answer, (error, req, res, next) => { errors.push(error); res.end() }], { type, body })
            }
          }
          assert.deepEqual(errors.map(({ body }) => String(body)), ['{"a":1}', 'x', '{"a":1}', 'x'])
        })
      })
    }
  })
}

describe('a connection that another copy closes', () => {
  it('may hold requests that had arrived whole before, which are parsed', () => {
    const socket = { readable: false }
    assert.equal(isFinished({ complete: true, readable: true, socket }), true)
    loadCopy()('lib/core/request/facts').markClosing(socket)
    assert.equal(isFinished({ complete: true, readable: true, socket }), false)
  })
})
