'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const { competitors, createHandler } = require('../../../bench/competitors')
const check = require('../../../bench/measure/check')
const createLoop = require('../../../bench/measure/loop')
const rows = require('../../../bench/rows')

describe('the check before a row is measured', () => {
  const work = rows.find(({ name }) => name === 'json 274 B').build()
  const refused = rows.find(({ name }) => name === 'refused: bad JSON').build()
  const skipped = rows.find(({ name }) => name === 'GET through 4 parsers').build()
  const later = (act) => (req, res, next) => { req.resume().on('end', () => act(req, next)) }

  it('finds a value that is wrong', async () => {
    assert.match(await check(work, later((req, next) => { req.body = {}; next() })), /another value/)
    assert.match(await check(work, later((req, next) => next())), /another value/)
  })

  it('finds an error where there should be none', async () => {
    assert.match(await check(work, later((req, next) => next(new Error('broken')))), /broken/)
  })

  it('finds a missing refusal, and one with another status', async () => {
    assert.match(await check(refused, later((req, next) => next())), /not refused/)
    const error = Object.assign(new Error(), { status: 500 })
    assert.match(await check(refused, later((req, next) => next(error))), /500, not 400/)
  })

  it('finds a body where there should be none', async () => {
    assert.match(await check(skipped, (req, res, next) => { req.body = 'x'; next() }), /where there is none/)
  })
})

describe('the loop that is timed', () => {
  for (const name of ['json 274 B', 'json 274 B, as a server feeds it', 'json 208 KB, 8 KB chunks', 'GET through 4 parsers', 'refused: bad JSON']) {
    it(`serves the number of requests that is asked for in the row "${name}"`, async () => {
      const work = rows.find((row) => row.name === name).build()
      const ours = await createHandler(competitors.find((one) => one.name === 'ours'), work)
      let handled = 0
      const loop = createLoop(work, (req, res, next) => { handled++; ours(req, res, next) })
      const time = await loop(40)
      assert.equal(handled, 40)
      assert.ok(time > 0)
    })
  }

  it('waits until a refused request is drained', async () => {
    const work = rows.find(({ name }) => name === 'refused: over the limit by its length').build()
    const requests = []
    const loop = createLoop(work, (req, res, next) => { requests.push(req); next(new Error('at once')) })
    await loop(3)
    assert.deepEqual(requests.map(({ readableEnded }) => readableEnded), [true, true, true])
  })
})

describe('the modules of a cold start', () => {
  const PROBE = require.resolve('../../../bench/measure/cold-probe')

  function modulesOf (id, makes) {
    return JSON.parse(execFileSync(process.execPath, ['--no-warnings', PROBE, id, String(makes)], { encoding: 'utf8' })).modules
  }

  it('are those that require() loads', () => {
    assert.equal(modulesOf('../rows/bodies', false), 2)
    assert.equal(modulesOf('../rows/bytes', false), 4)
  })

  it('include ES modules', () => {
    assert.ok(modulesOf('milliparsec', true) > 1)
  })
})
