'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { outcomeOfAll } = require('../support/lane')
const LocalServer = require('../../tools/local-server')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const TYPES = require('../support/types')

const BODY = '["12345678"]' // 12 bytes

const send = (parser, request) => exchange(parser, messageOf(request))

describe('limit as a function', () => {
  for (const limit of [12, '12b', Infinity]) {
    it(`lets a body of 12 bytes pass for ${limit}`, async () => {
      const { error, body } = await outcomeOfAll(subject.json({ limit: () => limit }), TYPES.json, BODY)
      assert.deepEqual([error, body], ['none', typed(JSON.parse(BODY))])
    })
  }

  for (const limit of [11, 0, -1, '5b']) {
    it(`refuses a body of 12 bytes for ${limit}, as a constant does`, async () => {
      for (const [lane, { coding, ...request }] of Object.entries({
        declared: { body: BODY },
        chunked: { body: BODY, chunked: true },
        'one-shot': { body: zlib.gzipSync(BODY), coding: 'gzip' },
        stream: { body: zlib.gzipSync(BODY), coding: 'gzip', chunked: true }
      })) {
        const headers = { 'Content-Type': TYPES.json, ...(coding && { 'Content-Encoding': coding }) }
        const seen = await send(subject.json({ limit: () => limit }), { ...request, headers })
        const constant = await send(subject.json({ limit }), { ...request, headers })
        assert.deepEqual([seen.error, seen.body, seen.reusable], [constant.error, constant.body, true], lane)
        assert.deepEqual([seen.error.status, seen.error.type], [413, 'entity.too.large'], lane)
      }
    })
  }

  it('is called once for each body, with the request, before any of it is read', async () => {
    const calls = []
    const limit = (req, ...more) => {
      calls.push([req.headers['x-id'], req.body, req.readableFlowing, more.length])
      return 100
    }
    const parser = subject.json({ limit })
    for (const id of ['a', 'b']) await send(parser, { headers: { 'Content-Type': TYPES.json, 'X-Id': id }, body: '{}' })
    assert.deepEqual(calls, [['a', undefined, null, 0], ['b', undefined, null, 0]])
  })

  it('gives each request its own limit, also at the same time', async () => {
    const parser = subject.json({ limit: (req) => req.headers['x-limit'] })
    const { http, port } = await LocalServer.open((req, res) =>
      parser(req, res, (error) => res.end(error?.type ?? 'ok')))
    const ask = async (limit) => {
      const headers = { 'content-type': TYPES.json, 'x-limit': limit }
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: BODY })).text()
    }
    assert.deepEqual(await Promise.all(['5b', '20b', '11b', '12b'].map(ask)),
      ['entity.too.large', 'ok', 'entity.too.large', 'ok'])
    LocalServer.stop(http)
  })

  for (const [what, request] of Object.entries({
    'no body': {},
    'another type': { headers: { 'Content-Type': 'text/html' }, body: 'x' },
    'a charset that is refused': { headers: { 'Content-Type': `${TYPES.json}; charset=latin1` }, body: '{}' }
  })) {
    it(`is not called for ${what}`, async () => {
      let calls = 0
      await send(subject.json({ limit: () => { calls++ } }), request)
      assert.equal(calls, 0)
    })
  }

  const thrown = Object.assign(new Error('no plan'), { status: 402 })
  const invalid = (shown) => ({ message: `option limit "${shown}" is invalid`, status: undefined })
  // [what, limit, fields of the error]
  const faults = [
    ['what it throws', () => { throw thrown }, { message: 'no plan', status: 402 }],
    ...[undefined, null, 'route'].map((value) =>
      [`an error of ${value}, if that is thrown`, () => { throw value }, { status: 500, expose: false }]),
    ...[undefined, null, NaN, '', 'many', true, {}, Promise.resolve(5), () => 5].map((value) =>
      [`a TypeError for ${String(value) || "''"}`, () => value, invalid(String(value))]),
    ['a TypeError for a promise, whose rejection is handled', async () => { throw thrown },
      invalid('[object Promise]')]
  ]
  for (const [what, limit, fields] of faults) {
    it(`reports ${what}`, async () => {
      const seen = []
      const { immediate, body } = await exchange((req, res, next) => subject.json({ limit })(req, res, (...args) => {
        seen.push(...args)
        next(...args)
      }), messageOf({ headers: { 'Content-Type': TYPES.json }, body: '{}' }))
      const [error] = seen
      assert.deepEqual([seen.length, immediate, body], [1, true, typed(undefined)])
      for (const [name, value] of Object.entries(fields)) assert.equal(error[name], value, name)
    })
  }

  it('bounds what was read before', async () => {
    const parse = (limit) => new Promise((resolve) => {
      subject.json({ buffered: true, limit: (req) => limit })({ headers: { 'content-type': TYPES.json }, body: BODY },
        {}, (error) => resolve(error?.type))
    })
    assert.deepEqual([await parse(11), await parse(12)], ['entity.too.large', undefined])
  })
})
