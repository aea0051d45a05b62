'use strict'

const assert = require('node:assert')
const check = require('../../../bench/check')
const { competitors, missing } = require('../../../bench/competitors')
const createLoop = require('../../../bench/loop')
const sections = require('../../../bench/sections')
const { createHandler } = require('../../../bench/stack')

const LARGE = / 1 MB|size, 10000000|types, 100000/ // the same again, but slow

for (const [section, { rows, competitors }] of Object.entries(sections)) {
  for (const competitor of competitors) {
    describe(`bench: ${competitor.name} in ${section}`, () => {
      for (const row of rows.filter(({ name }) => !LARGE.test(name))) {
        if (missing(row, competitor).length > 0) continue
        it(row.name, async () => {
          const work = row.build()
          for (const express of [false, true]) {
            assert.strictEqual(await check(work, await createHandler(competitor, work), express), null)
          }
        })
      }
    })
  }
}

describe('bench: the check before the measuring', () => {
  const work = sections.work.rows.find(({ name }) => name === 'json 274 B').build()
  const refused = sections.work.rows.find(({ name }) => name === 'refused: bad JSON').build()
  const skipped = sections.work.rows.find(({ name }) => name === 'GET through 4 parsers').build()
  const later = (act) => (req, res, next) => { req.resume().on('end', () => act(req, next)) }

  it('finds another value', async () => {
    assert.match(await check(work, later((req, next) => { req.body = {}; next() }), false), /another value/)
    assert.match(await check(work, later((req, next) => next()), false), /another value/)
  })

  it('finds an error', async () => {
    assert.match(await check(work, later((req, next) => next(new Error('broken'))), false), /broken/)
  })

  it('finds a refusal that is none, or another', async () => {
    assert.match(await check(refused, later((req, next) => next()), false), /not refused/)
    const error = Object.assign(new Error(), { status: 500 })
    assert.match(await check(refused, later((req, next) => next(error)), false), /500, not 400/)
  })

  it('finds a body made of nothing', async () => {
    assert.match(await check(skipped, (req, res, next) => { req.body = 'x'; next() }, false), /nothing/)
  })
})

describe('bench: the loop', () => {
  for (const name of ['json 274 B', 'json 274 B, as a server feeds it', 'json 208 KB, 8 KB chunks', 'GET through 4 parsers', 'refused: bad JSON']) {
    it(`serves as many requests as asked: ${name}`, async () => {
      const work = sections.work.rows.find((row) => row.name === name).build()
      const ours = await createHandler(competitors.find((one) => one.name === 'ours'), work)
      let handled = 0
      const loop = createLoop(work, (req, res, next) => { handled++; ours(req, res, next) }, false)
      const time = await loop(40)
      assert.strictEqual(handled, 40)
      assert.ok(time > 0)
    })
  }

  it('waits until a refused request is read off', async () => {
    const work = sections.work.rows.find(({ name }) => name === 'refused: over the limit by its length').build()
    const requests = []
    const loop = createLoop(work, (req, res, next) => { requests.push(req); next(new Error('at once')) }, false)
    await loop(3)
    assert.deepStrictEqual(requests.map(({ readableEnded }) => readableEnded), [true, true, true])
  })

  it('takes the content types in turn', async () => {
    const work = sections.growth.rows.find(({ name }) => name === 'growth, content types, 10').build()
    const seen = new Set()
    const loop = createLoop(work, (req, res, next) => { seen.add(req.headers['content-type']); next() }, false)
    await loop(20)
    assert.strictEqual(seen.size, 10)
  })
})

describe('bench: what competitors say of themselves', () => {
  for (const competitor of competitors.filter(({ does }) => does.includes('verify'))) {
    if (competitor.name === 'bare') continue // which is to check nothing
    it(`${competitor.name} calls verify`, async () => {
      const work = sections.work.rows.find(({ name }) => name === 'json 274 B').build()
      let calls = 0
      work.parsers = [['json', { verify () { calls++ } }]]
      assert.strictEqual(await check(work, await createHandler(competitor, work), false), null)
      assert.strictEqual(calls, 1)
    })
  }

  it('none has a need that no row has', () => {
    const needs = new Set(Object.values(sections).flatMap(({ rows }) => rows.flatMap((row) => row.needs)))
    for (const { name, does } of competitors) {
      for (const one of does) assert.ok(needs.has(one), `${name}: ${one}`)
    }
  })
})
