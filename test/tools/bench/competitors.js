'use strict'

const assert = require('node:assert/strict')
const { competitors, createHandler, missing } = require('../../../bench/competitors')
const check = require('../../../bench/measure/check')
const { createFeed, createRequestFactory } = require('../../../bench/measure/request')
const rows = require('../../../bench/rows')
const { json } = require('../../../bench/rows/bodies')
const { post } = require('../../../bench/rows/row')

const LARGE = / 1 MB/ // the same as smaller ones, but slow

const withHeaders = (headers) => post('json', json(274), { headers })

/** A request that the check refuses or leaves unread, with the status. */
const CHECKS = {
  type: [415, withHeaders({ 'Content-Type': 'text/html' })],
  length: [400, withHeaders({ 'Content-Length': '275' })],
  limit: [413, post('json', json(110000), { chunk: 64 * 1024 })],
  charset: [415, withHeaders({ 'Content-Type': 'application/json; charset=foo' })],
  coding: [415, withHeaders({ 'Content-Encoding': 'foo' })],
  strict: [400, post('json', { bytes: Buffer.from('"text"') })]
}

/** The listeners that a handler adds within its call, and those that it leaves when it calls `next`. */
async function listenersOf (work, competitor) {
  const handler = await createHandler(competitor, work)
  const req = createRequestFactory(work)()
  const own = req.eventNames()
  const added = []
  req.on('newListener', (name) => added.push(name))
  const left = await new Promise((resolve, reject) => {
    handler(req, {}, (error) => error ? reject(error) : resolve(req.eventNames()))
    req.removeAllListeners('newListener')
    createFeed(work)(req)
  })
  return { added: added.sort(), left: left.filter((name) => !own.includes(name)) }
}

for (const competitor of competitors) {
  describe(`${competitor.name}, in bench/,`, () => {
    for (const row of rows.filter(({ name }) => !LARGE.test(name))) {
      if (missing(row, competitor).length > 0) continue
      it(`gives the right result in the row "${row.name}"`, async () => {
        const work = row.build()
        assert.equal(await check(work, await createHandler(competitor, work)), null)
      })
    }

    if (competitor.name === 'minimal') return // it gets the row, not the request
    it('makes the checks that it claims, and no other', async () => {
      const made = []
      for (const [what, [status, work]] of Object.entries(CHECKS)) {
        const req = createRequestFactory(work)()
        const handler = await createHandler(competitor, work)
        const error = await new Promise((resolve) => {
          handler(req, {}, resolve)
          createFeed(work)(req)
        })
        if (error !== undefined || Object.keys(req.body ?? {}).length === 0) made.push(what)
        if (error !== undefined) assert.equal(error.status ?? error.statusCode ?? status, status)
      }
      assert.deepEqual(made.sort(), [...competitor.checks].sort())
    })
  })
}

describe('compatible', () => {
  it('listens as body-parser does', async () => {
    const work = rows.find(({ name }) => name === 'json 274 B').build()
    const two = competitors.filter(({ name }) => ['compatible', 'body-parser'].includes(name))
    const [seen, theirs] = await Promise.all(two.map((one) => listenersOf(work, one)))
    assert.deepEqual(seen, theirs)
    assert.equal(seen.added.length, 5)
    assert.deepEqual(seen.left, [])
  })
})
