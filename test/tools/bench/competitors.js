'use strict'

const assert = require('node:assert/strict')
const { competitors, missing } = require('../../../bench/competitors')
const check = require('../../../bench/measure/check')
const { createHandler } = require('../../../bench/measure/handler')
const { createFeed, createRequestFactory } = require('../../../bench/measure/request')
const sections = require('../../../bench/suite/sections')

const LARGE = / 1 MB|size, 10000000|types, 100000/ // the same as smaller ones, but slow

/** The listeners that a handler adds within its call, and those that it leaves when it calls `next`. */
async function listening (work, competitor) {
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

for (const [section, { rows, competitors }] of Object.entries(sections)) {
  for (const competitor of competitors) {
    describe(`${competitor.name}, in the section ${section} of bench/,`, () => {
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
}

describe('the competitors of bench/', () => {
  for (const competitor of competitors.filter(({ does }) => does.includes('verify'))) {
    if (competitor.checks.length === 0) continue // by design, it calls nothing
    it(`include ${competitor.name}, which calls verify`, async () => {
      const work = sections.work.rows.find(({ name }) => name === 'json 274 B').build()
      let calls = 0
      work.parsers = [['json', { verify () { calls++ } }]]
      assert.equal(await check(work, await createHandler(competitor, work), false), null)
      assert.equal(calls, 1)
    })
  }

  for (const name of ['listening', 'ours']) {
    it(`include ${name}, which listens as body-parser does`, async () => {
      const work = sections.work.rows.find(({ name }) => name === 'json 274 B').build()
      const seen = await Promise.all([name, 'body-parser'].map((one) => listening(work, competitors.find(({ name }) => name === one))))
      assert.deepEqual(seen[0], seen[1])
      assert.equal(seen[0].added.length, 5)
      assert.deepEqual(seen[0].left, [])
    })
  }

  it('list no ability that no row needs', () => {
    const needs = new Set(Object.values(sections).flatMap(({ rows }) => rows.flatMap((row) => row.needs)))
    for (const { name, does } of competitors) {
      for (const one of does) assert.ok(needs.has(one), `${name}: ${one}`)
    }
  })
})
