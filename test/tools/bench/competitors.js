'use strict'

const assert = require('node:assert/strict')
const { competitors, missing } = require('../../../bench/competitors')
const check = require('../../../bench/measure/check')
const { createHandler } = require('../../../bench/measure/handler')
const sections = require('../../../bench/suite/sections')

const LARGE = / 1 MB|size, 10000000|types, 100000/ // the same as smaller ones, but slow

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
    if (competitor.name === 'bare') continue // by design, it checks nothing
    it(`include ${competitor.name}, which calls verify`, async () => {
      const work = sections.work.rows.find(({ name }) => name === 'json 274 B').build()
      let calls = 0
      work.parsers = [['json', { verify () { calls++ } }]]
      assert.equal(await check(work, await createHandler(competitor, work), false), null)
      assert.equal(calls, 1)
    })
  }

  it('list no ability that no row needs', () => {
    const needs = new Set(Object.values(sections).flatMap(({ rows }) => rows.flatMap((row) => row.needs)))
    for (const { name, does } of competitors) {
      for (const one of does) assert.ok(needs.has(one), `${name}: ${one}`)
    }
  })
})
