'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const { competitors, createHandler } = require('../../../bench/competitors')
const check = require('../../../bench/measure/check')
const createLoop = require('../../../bench/measure/loop')
const rows = require('../../../bench/rows')

const workOf = (row) => rows.find(({ name }) => name === row).build()

describe('the check before a row is measured', () => {
  const handlers = {
    'passes on': (req, next) => next(),
    'makes a body': (req, next) => {
      req.body = { a: 1 }
      next()
    },
    fails: (req, next) => next(Object.assign(new Error('broken'), { status: 500 }))
  }

  for (const [row, handler, wrong] of [
    ['json 274 B', 'passes on', 'parsed another value'],
    ['json 274 B', 'makes a body', 'parsed another value'],
    ['json 274 B', 'fails', 'failed: broken'],
    ['refused: bad JSON', 'passes on', 'was not refused'],
    ['refused: bad JSON', 'fails', 'refused with 500, not 400'],
    ['GET through 4 parsers', 'makes a body', 'made a body where there is none']
  ]) {
    it(`says "${wrong}" where a handler ${handler}, in the row "${row}"`, async () => {
      const late = (req, res, next) => req.resume().on('end', () => handlers[handler](req, next))
      assert.equal(await check(workOf(row), late), wrong)
    })
  }
})

describe('the loop that is timed', () => {
  for (const row of [
    'json 274 B', 'json 274 B, as a server feeds it', 'json 208 KB, 8 KB chunks', 'GET through 4 parsers',
    'refused: bad JSON'
  ]) {
    it(`serves the number of requests that is asked for in the row "${row}"`, async () => {
      const work = workOf(row)
      const ours = await createHandler(competitors.find(({ name }) => name === 'ours'), work)
      let handled = 0
      const loop = createLoop(work, (...args) => {
        handled++
        ours(...args)
      })
      assert.ok(await loop(40) > 0)
      assert.equal(handled, 40)
    })
  }

  it('waits until a refused request is drained', async () => {
    const requests = []
    const loop = createLoop(workOf('refused: over the limit by its length'), (req, res, next) => {
      requests.push(req)
      next(new Error('at once'))
    })
    await loop(3)
    assert.deepEqual(requests.map(({ readableEnded }) => readableEnded), [true, true, true])
  })
})

describe('the modules of a cold start', () => {
  const WORKER = require.resolve('../../../bench/worker.mjs')

  for (const [id, least] of [['ours', 40], ['milliparsec', 2]]) {
    it(`are all that ${id} loads, CommonJS or ES`, () => {
      const { modules } = JSON.parse(execFileSync(process.execPath, ['--no-warnings', WORKER, 'cold', '', id]))
      assert.ok(modules >= least, `${modules}`)
    })
  }
})
