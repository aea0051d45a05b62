'use strict'

const assert = require('node:assert/strict')
const { ableTo, competitors } = require('../../../bench/competitors')
const { createLoop, isRight } = require('../../../bench/measure/loop')
const { createFeed, createRequestFactory } = require('../../../bench/measure/request')
const rows = require('../../../bench/rows')

const LARGE = / 1 MB/ // the same as smaller ones, but slow

const workOf = (row) => rows.find(({ name }) => name === row).build()
const handlerOf = ({ create }, { kind, options, headers }) => create(kind, options, headers)
const ONE = workOf('json 274 B')
const withHeaders = (headers) => ({ ...ONE, headers: { ...ONE.headers, ...headers } })
const withText = (text) => ({ ...withHeaders({ 'Content-Length': `${text.length}` }), chunks: [Buffer.from(text)] })

/** A request that the check refuses or leaves unread, with the status. */
const CHECKS = {
  type: [415, withHeaders({ 'Content-Type': 'text/html' })],
  length: [400, withHeaders({ 'Content-Length': '275' })],
  limit: [413, withText(`[${'1,'.repeat(110_000)}1]`)],
  charset: [415, withHeaders({ 'Content-Type': 'application/json; charset=foo' })],
  coding: [415, withHeaders({ 'Content-Encoding': 'foo' })],
  strict: [400, withText('"text"')]
}

/** The listeners that a handler adds within its call, and those that it leaves when it calls `next`. */
async function listenersOf (competitor) {
  const handler = await handlerOf(competitor, ONE)
  const req = createRequestFactory(ONE)()
  const own = req.eventNames()
  const added = []
  req.on('newListener', (name) => added.push(name))
  const left = await new Promise((resolve, reject) => {
    handler(req, {}, (error) => error ? reject(error) : resolve(req.eventNames()))
    req.removeAllListeners('newListener')
    createFeed(ONE)(req)
  })
  return { added: added.sort(), left: left.filter((name) => !own.includes(name)) }
}

for (const row of rows.filter(({ name }) => !LARGE.test(name))) {
  for (const competitor of ableTo(row)) {
    it(`${competitor.name}, in bench/, gives the right result in the row "${row.name}"`, async () => {
      const work = row.build()
      assert.ok(await isRight(work, await handlerOf(competitor, work)))
    })
  }
}

for (const competitor of competitors.filter(({ name }) => name !== 'minimal')) { // which gets the row, not the request
  it(`${competitor.name}, in bench/, makes the checks that it claims, and no other`, async () => {
    const made = []
    for (const [what, [status, work]] of Object.entries(CHECKS)) {
      const req = createRequestFactory(work)()
      const handler = await handlerOf(competitor, work)
      const error = await new Promise((resolve) => {
        handler(req, {}, resolve)
        createFeed(work)(req)
      })
      if (error !== undefined || Object.keys(req.body ?? {}).length === 0) made.push(what)
      if (error !== undefined) assert.equal(error.status ?? error.statusCode ?? status, status)
    }
    assert.deepEqual(made.sort(), [...competitor.checks].sort())
  })
}

it('compatible, in bench/, listens as body-parser does', async () => {
  const two = competitors.filter(({ name }) => ['compatible', 'body-parser'].includes(name))
  const [seen, theirs] = await Promise.all(two.map(listenersOf))
  assert.deepEqual(seen, theirs)
  assert.equal(seen.added.length, 5)
  assert.deepEqual(seen.left, [])
})

describe('before a row is measured', () => {
  const handlers = {
    'passes on': (req, next) => next(),
    'makes another body': (req, next) => {
      req.body = { a: 1 }
      next()
    }
  }
  for (const [what, handle] of Object.entries(handlers)) {
    it(`a handler that ${what} is found`, async () => {
      assert.equal(await isRight(ONE, (req, res, next) => req.resume().on('end', () => handle(req, next))), false)
    })
  }

  it('and while it is, an error ends the row', async () => {
    const fails = (req, res, next) => req.resume().on('end', () => next(new Error('broken')))
    await assert.rejects(isRight(ONE, fails), { message: 'broken' })
    await assert.rejects(createLoop(ONE, fails)(2), { message: 'broken' })
  })
})

describe('the loop that is timed', () => {
  for (const row of ['json 274 B', 'json 274 B, as a server feeds it', 'json 208 KB, 8 KB chunks']) {
    it(`serves the number of requests that is asked for in the row "${row}"`, async () => {
      const work = workOf(row)
      const ours = await handlerOf(competitors.find(({ name }) => name === 'ours'), work)
      let handled = 0
      const loop = createLoop(work, (...args) => {
        handled++
        ours(...args)
      })
      assert.ok(await loop(40) > 0)
      assert.equal(handled, 40)
    })
  }
})
