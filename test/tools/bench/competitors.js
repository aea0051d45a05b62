'use strict'

const assert = require('node:assert/strict')
const { competitors, missing } = require('../../../bench/competitors')
const check = require('../../../bench/measure/check')
const { createHandler } = require('../../../bench/measure/handler')
const { createFeed, createRequestFactory } = require('../../../bench/measure/request')
const rows = require('../../../bench/rows')

const LARGE = / 1 MB/ // the same as smaller ones, but slow

/** The listeners that a handler adds within its call, and those that it leaves when it calls `next`. */
async function listenersOf (work, competitor) {
  const handler = await createHandler(competitor, work)
  const req = createRequestFactory(work, false)()
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
        for (const express of [false, true]) {
          assert.equal(await check(work, await createHandler(competitor, work), express), null)
        }
      })
    }
  })
}

describe('the competitors of bench/', () => {
  for (const competitor of competitors.filter(({ supports }) => supports.includes('verify'))) {
    if (competitor.checks.length === 0) continue // by design, it calls nothing
    it(`include ${competitor.name}, which calls verify`, async () => {
      const work = rows.find(({ name }) => name === 'json 274 B').build()
      let calls = 0
      work.parsers = [['json', { verify () { calls++ } }]]
      assert.equal(await check(work, await createHandler(competitor, work), false), null)
      assert.equal(calls, 1)
    })
  }

  for (const name of ['compatible', 'ours']) {
    it(`include ${name}, which listens as body-parser does`, async () => {
      const work = rows.find(({ name }) => name === 'json 274 B').build()
      const seen = await Promise.all([name, 'body-parser'].map((one) => listenersOf(work, competitors.find(({ name }) => name === one))))
      assert.deepEqual(seen[0], seen[1])
      assert.equal(seen[0].added.length, 5)
      assert.deepEqual(seen[0].left, [])
    })
  }

  it('list no ability that no row requires', () => {
    const required = new Set(rows.flatMap((row) => row.requires))
    for (const { name, supports } of competitors) {
      for (const one of supports) assert.ok(required.has(one), `${name}: ${one}`)
    }
  })
})
