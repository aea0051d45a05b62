'use strict'

const assert = require('node:assert')
const { json } = require('../../../bench/rows/bodies')
const { competitors } = require('../../../bench/competitors')
const { createFeed, createRequestFactory } = require('../../../bench/measure/request')
const { post } = require('../../../bench/rows/row')
const { createHandler } = require('../../../bench/measure/handler')

const SMALL = json(274)

function small (headers) {
  return post('json', SMALL, { headers })
}

function body (text) {
  return post('json', { bytes: Buffer.from(text) })
}

/** A request that the check refuses or leaves unread, with the status. */
const CHECKS = [
  ['type', 415, () => small({ 'Content-Type': 'text/html' })],
  ['length', 400, () => small({ 'Content-Length': '275' })],
  ['limit', 413, () => post('json', json(110000), { chunk: 64 * 1024 })],
  ['charset', 415, () => small({ 'Content-Type': 'application/json; charset=foo' })],
  ['coding', 415, () => small({ 'Content-Encoding': 'foo' })],
  ['strict', 400, () => body('"text"')],
  ['__proto__', 400, () => body('{"__proto__":{"a":1},"b":1}')]
]

function outcome (req, handler, feed) {
  return new Promise((resolve) => {
    handler(req, {}, resolve)
    feed(req)
  })
}

describe('the checks that competitors of bench/ claim', () => {
  for (const { name, checks, create } of competitors) {
    if (name === 'minimal') continue // it gets the row, not the request
    for (const [what, status, build] of CHECKS) {
      const claimed = checks.includes(what)
      it(`${name} ${claimed ? 'makes' : 'does not make'} the check "${what}"`, async () => {
        const work = build()
        const req = createRequestFactory(work, false)()
        const error = await outcome(req, await createHandler({ create }, work), createFeed(work))
        const parsed = error === undefined && Object.keys(req.body ?? {}).length > 0
        assert.strictEqual(parsed, !claimed, error?.message)
        // Some give their errors no status and leave that to their framework.
        if (error !== undefined) assert.strictEqual(error.status ?? error.statusCode ?? error.output?.statusCode ?? status, status)
      })
    }
    it(`${name} claims no check that is not tried here`, () => {
      const known = CHECKS.map(([what]) => what)
      assert.deepStrictEqual(checks.filter((what) => !known.includes(what)), [])
    })
  }
})
