'use strict'

// Two copies of this package in one process: express has one in place of
// body-parser, and the app another. They know each other's errors, requests and
// connections, also where they are of two versions.

const assert = require('node:assert/strict')
const own = require('fast-body-parser')
const { isFinished } = require('../lib/core/request/facts')
const fetchFrom = require('./support/express')
const loadCopy = require('./support/load-copy')
const schemaOf = require('./support/schema-of')

const JSON_TYPE = 'application/json'
const schema = schemaOf((value) => ({ value }))

const ask = (handlers, type, body, more) => fetchFrom(handlers, { headers: { 'content-type': type, ...more }, body })
const answer = (req, res) => res.json(req.body ?? null)

/** The codes of the warnings that come until `act` has ended. */
async function codesIn (act) {
  const codes = []
  const note = ({ code }) => codes.push(code)
  process.on('warning', note)
  await act().finally(() => process.removeListener('warning', note))
  return codes
}

const loadOther = loadCopy('2.5.117')
const other = loadOther()

for (const [names, one, two] of [['the first and the second', own, other], ['the second and the first', other, own]]) {
  describe(`two copies, in the parts of ${names}`, () => {
    const { problemDetails, refuseUnparsed } = two

    for (const [fault, parser, type, body, code] of [
      ['JSON', one.json(), JSON_TYPE, '{', 'entity.parse.failed'],
      ['a length', one.json({ limit: 1 }), JSON_TYPE, '[1]', 'entity.too.large'],
      ['a type', one.refuseUnparsed(), 'text/xml', 'x', 'media.type.unsupported']
    ]) {
      it(`have one problemDetails, for ${fault}`, async () => {
        const { headers, text } = await ask([parser, answer, problemDetails()], type, body)
        assert.equal(headers.get('content-type'), 'application/problem+json')
        assert.equal(JSON.parse(text).code, code)
      })
    }

    it('have one problemDetails, which names the codings that are taken', async () => {
      const handlers = [one.json({ inflate: false }), answer, problemDetails()]
      const { headers } = await ask(handlers, JSON_TYPE, '{}', { 'content-encoding': 'x' })
      assert.equal(headers.get('accept-encoding'), 'identity')
    })

    it('have one problemDetails, which keeps the errors of the app to itself', async () => {
      const verify = () => { throw new Error('secret') }
      const { status, text } = await ask([one.json({ verify }), answer, problemDetails()], JSON_TYPE, '{}')
      assert.deepEqual([status, text.includes('secret'), JSON.parse(text).title], [403, false, 'Forbidden'])
    })

    it('have one refuseUnparsed, which passes what a loop is to read', async () => {
      const handlers = [one.ndjson(), refuseUnparsed(), async (req, res) => {
        const records = []
        for await (const record of req.body) records.push(record)
        res.json(records)
      }]
      const { status, text } = await ask(handlers, 'application/x-ndjson', '[1]\n[2]')
      assert.deepEqual([status, text], [200, '[[1],[2]]'])
    })

    it('have one refuseUnparsed, which names the types of both, and warns of no wrong order', async () => {
      for (const handlers of [[one.json(), two.text(), refuseUnparsed()], [one.json(), two.text({ schema })]]) {
        const codes = await codesIn(async () => {
          const { headers, status } = await ask([...handlers, answer], 'text/xml', 'x')
          assert.deepEqual([status, headers.get('accept')], [415, 'application/json, text/plain'])
        })
        assert.deepEqual(codes, [])
      }
    })

    it('give the same body, or error, by read', async () => {
      const readBoth = async (body) => {
        let results
        await ask([async (req, res) => {
          results = await Promise.allSettled([one.json().read(req, res), two.json().read(req, res)])
          res.end()
        }], JSON_TYPE, body)
        return results
      }
      assert.deepEqual((await readBoth('[1]')).map(({ value }) => value), [[1], [1]])
      const [{ reason }, second] = await readBoth('{')
      assert.equal(reason.type, 'entity.parse.failed')
      assert.equal(second.reason, reason)
    })

    it('parse what was read before once, with buffered', async () => {
      const [req, res] = [{ headers: { 'content-type': JSON_TYPE }, body: '"[1]"' }, {}]
      for (const { json } of [one, two]) {
        await new Promise((resolve) => json({ buffered: true, strict: false })(req, res, resolve))
        assert.equal(req.body, '[1]')
      }
    })

    it('give an error that the app throws twice fields of its own for each request', async () => {
      const error = new Error('constant')
      const verify = async () => { throw error }
      const bodies = []
      const note = ({ body }, req, res, next) => { bodies.push(String(body)); res.end() }
      for (const { json } of [one, two]) {
        for (const body of ['[1]', '[2]']) await ask([json({ verify }), answer, note], JSON_TYPE, body)
      }
      assert.deepEqual(bodies, ['[1]', '[2]', '[1]', '[2]'])
    })
  })
}

describe('a connection that another copy closes', () => {
  it('may hold requests that had arrived whole before, which are parsed', () => {
    const socket = { readable: false }
    assert.equal(isFinished({ complete: true, readable: true, socket }), true)
    loadOther('lib/core/request/facts').markClosing(socket)
    assert.equal(isFinished({ complete: true, readable: true, socket }), false)
  })
})
