'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const bodyParser = require('fast-body-parser')
const exchange = require('../../support/exchange')
const { messageOf } = require('../../support/lanes')
const { typed } = require('../../support/outcome')

const { json, text, urlencoded } = bodyParser
const TYPE = 'application/json'
const HEADERS = { 'Content-Type': TYPE }
const BOM = '\uFEFF'

const send = (parser, request) => exchange(parser, messageOf(request))
const isEmptyError = (error) => assert.deepEqual([error.status, error.type, error.message, error.expose],
  [400, 'entity.empty', 'request entity empty', true])

const PARSERS = {
  json: {},
  'json that is not strict': { strict: false },
  'json with a depth': { depth: 5 },
  'json in slices': { cooperative: { threshold: 0 } }
}

/** [options, body.of no bytes, without content] */
const values = [
  [{}, {}, undefined],
  [{ empty: undefined }, undefined, undefined],
  [{ empty: {} }, {}, {}],
  [{ empty: 'error' }, 'error', undefined]
]

describe('empty', () => {
  for (const [options, empty, none] of values) {
    const name = 'empty' in options ? JSON.stringify(options.empty) : 'not given'
    for (const [what, more] of Object.entries(PARSERS)) {
      it(`${name}: ${what}`, async () => {
        const parser = json({ ...more, ...options })
        const outcome = (body, chunked) => send(parser, { headers: HEADERS, body, chunked })
        for (const [nothing, chunked] of [['', false], [BOM, true]]) {
          const { error, body } = await outcome(nothing, chunked)
          if (empty === 'error') isEmptyError(error)
          else assert.deepEqual([error, body], ['none', typed(empty)])
        }
        assert.deepEqual((await outcome('{"a":1}')).body, typed({ a: 1 }))
        assert.equal((await outcome(' ')).error.type, 'entity.parse.failed')
      })
    }

    it(`${name}: without content, and of another type`, async () => {
      const headers = { 'Content-Type': 'text/plain' }
      for (const request of [{}, { headers: HEADERS }, { headers, body: '' }]) {
        const { error, body, hasBody } = await send(json(options), request)
        assert.deepEqual([error, body, hasBody], ['none', typed(none), true])
      }
      for (const chunked of [false, true]) {
        const { error, body } = await send(json(options), { headers, body: 'x', chunked })
        assert.deepEqual([error, body], ['none', typed(undefined)])
      }
    })
  }

  it('{}: in chunks, without a type', async () => {
    const parser = json({ empty: {} })
    assert.deepEqual((await send(parser, { body: '', chunked: true })).body, typed({}))
    assert.deepEqual((await send(parser, { body: 'x', chunked: true })).body, typed(undefined), 'has content')
    const stack = (req, res, next) =>
      parser(req, res, (error) => error ? next(error) : text({ type: () => true })(req, res, next))
    assert.deepEqual((await send(stack, { body: 'x'.repeat(100_000), chunked: true })).body, typed('x'.repeat(100_000)),
      'is left')
    for (const options of [{}, { empty: undefined }, { empty: 'error' }]) {
      assert.deepEqual((await send(json(options), { body: '', chunked: true })).body, typed(undefined))
    }
  })

  it('leaves a body to the parsers behind, and one that is there', async () => {
    const stack = (req, res, next) => json({ empty: {} })(req, res, () => urlencoded()(req, res, next))
    const request = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1' }
    assert.deepEqual((await send(stack, request)).body, typed({ a: '1' }))
    const set = (req, res, next) => json({ empty: {} })(Object.assign(req, { body: 'mine' }), res, next)
    for (const more of [{}, { body: '', chunked: true }]) assert.deepEqual((await send(set, more)).body, typed('mine'))
  })

  it('gives to next what a getter or a setter of req.body throws', async () => {
    const parse = json({ empty: {} })
    for (const thrown of [new Error('mine'), null]) {
      const fail = () => { throw thrown }
      for (const body of [{ get: fail, set () {} }, { get () {}, set: fail }]) {
        const req = Object.defineProperty({ headers: {}, complete: false, readable: true, on () {} }, 'body', body)
        const [error] = await new Promise((resolve) => parse(req, {}, (...args) => resolve(args)))
        assert.equal(error.message, thrown?.message ?? 'Internal Server Error')
      }
    }
  })

  it('is a new object for each request', async () => {
    const empty = {}
    const bodies = [empty]
    const parser = json({ empty })
    const keep = (req, res, next) => parser(req, res, () => { bodies.push(req.body); next() })
    for (const request of [{}, {}, { headers: HEADERS, body: '' }, { headers: HEADERS, body: '' }]) {
      await send(keep, request)
    }
    assert.equal(new Set(bodies).size, 5)
  })

  it('is what was compressed, and holds nothing', async () => {
    const headers = { ...HEADERS, 'Content-Encoding': 'gzip' }
    assert.deepEqual((await send(json({ empty: undefined }), { headers, body: zlib.gzipSync('') })).body, 'undefined')
  })

  it('counts for requests that were read before', async () => {
    const headers = { 'content-type': TYPE }
    const parse = (req, empty) => json({ buffered: true, empty }).read(req, {})
    assert.deepEqual(await parse({ headers: {} }, {}), {})
    assert.equal(await parse({ headers, body: '' }, undefined), undefined)
    await assert.rejects(parse({ headers, body: '' }, 'error'), { type: 'entity.empty' })
  })

  it('is undefined, {} or "error"', () => {
    const wrong = [null, true, 0, '', 'undefined', [], { a: 1 }, { a: undefined }, { a: 1n }, () => {}, new Map(), /x/]
    for (const empty of wrong) {
      assert.throws(() => json({ empty }),
        { name: 'TypeError', message: "option empty must be undefined, {} or 'error'" })
    }
  })
})
