'use strict'

// Adapters that keep a pool of plain objects, and put one request after the
// other into the same one.

const assert = require('node:assert/strict')
const { createParser, json, multipart, ndjson, text } = require('fast-body-parser')
const { noteMismatch, trackMismatches } = require('../../../lib/core/body/match')
const { form } = require('../../support/upload')

const buffered = true
const TYPE = 'application/json'
const [alice, bob] = ['{"user":"alice"}', '{"user":"bob"}']

const run = (parser, req, res) => new Promise((resolve, reject) => {
  parser(req, res, (error) => error === undefined ? resolve(req.body) : reject(error))
})
const readers = {
  'a middleware': run,
  read: (parser, req, res) => parser.read(req, res)
}

/** How an adapter puts a body into an object that has carried another. */
const fillers = {
  'new fields': (req, body) => Object.assign(req, { headers: { 'content-type': TYPE }, body: Buffer.from(body) }),
  'a new body alone': (req, body) => Object.assign(req, { body: Buffer.from(body) }),
  'a new text alone': (req, body) => Object.assign(req, { body }),
  'a new rawBody alone': (req, body) => Object.assign(req, { rawBody: Buffer.from(body) }),
  'a new rawBody and no body': (req, body) => Object.assign(req, { rawBody: body, body: undefined })
}

describe('an object that carries one request after the other', () => {
  const headers = { 'content-type': TYPE }

  for (const [reader, read] of Object.entries(readers)) {
    for (const [how, fill] of Object.entries(fillers)) {
      it(`gives each its own body to ${reader}, with ${how}`, async () => {
        const parser = json({ buffered })
        const [req, res] = [{ headers }, {}]
        for (const [body, user] of [[alice, 'alice'], [bob, 'bob'], [bob.replace('bob', 'eve'), 'eve']]) {
          assert.deepEqual(await read(parser, fill(req, body), res), { user })
        }
        await assert.rejects(read(parser, fill(req, '{'), res), { type: 'entity.parse.failed' })
        assert.deepEqual(await read(parser, fill(req, bob), res), { user: 'bob' })
      })
    }

    it(`gives none to ${reader} if the next one has none`, async () => {
      for (const next of [{ headers: {}, body: undefined }, { body: undefined }]) {
        const parser = json({ buffered })
        const [req, res] = [{ headers, body: alice }, {}]
        await read(parser, req, res)
        assert.equal(await read(parser, Object.assign(req, next), res), undefined)
      }
    })

    it(`takes another response for another request, for ${reader}`, async () => {
      const seen = []
      const parser = text({ buffered, type: TYPE, verify: (req, res) => { seen.push(res) } })
      const req = { headers, body: alice }
      const responses = [{}, {}]
      for (const res of responses) assert.equal(await read(parser, req, res), alice) // the same text again
      assert.deepEqual(seen.map((res) => responses.indexOf(res)), [0, 1])
    })

    it(`tells ${reader} from a parser of the same request`, async () => {
      const [req, res] = [{ headers, body: alice }, {}]
      const parsers = [
        text({ buffered, type: TYPE }),
        json({ buffered }),
        createParser({ buffered, type: TYPE, parse: JSON.parse })
      ]
      for (const parser of parsers) assert.equal(await read(parser, req, res), alice)
      const failed = [{ headers, body: '{' }, {}]
      await assert.rejects(read(json({ buffered }), ...failed), { type: 'entity.parse.failed' })
      if (reader === 'read') {
        const again = read(text({ buffered, type: TYPE }), ...failed)
        await assert.rejects(again, { type: 'entity.parse.failed' })
      } else assert.equal(await read(text({ buffered, type: TYPE }), ...failed), '{')
    })
  }

  it('gives the same promise again while the request is parsed, and then', async () => {
    const { read } = json({ buffered, verify: async () => {} })
    const [req, res] = [{ headers, body: alice }, {}]
    const first = read(req, res)
    assert.equal(read(req, res), first)
    assert.equal(text({ buffered, type: TYPE }).read(req, res) === first, false)
    await first
    assert.equal(read(req, res), first)
  })

  it('gives forms and records of each, of which the last one was claimed', async () => {
    const [formParser, records] = [multipart({ buffered }), ndjson({ buffered, type: TYPE })]
    const [req, res] = [{}, {}]
    for (const value of ['1', '2']) {
      Object.assign(req, { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: form(['a', value]) })
      assert.deepEqual({ ...await run(formParser, req, res) }, { a: value })
      Object.assign(req, { headers, body: `[${value}]` })
      for await (const record of await run(records, req, res)) assert.deepEqual(record, [Number(value)])
    }
  })

  it('is asked anew if a getter throws, which is the error of each', async () => {
    class Throwing { get body () { throw new Error('of the adapter') } }
    for (const req of [
      { headers, get body () { throw new Error('of the adapter') } },
      Object.assign(new Throwing(), { headers })
    ]) {
      const { read } = json({ buffered })
      const expected = { message: 'of the adapter' }
      const first = read(req, {})
      await assert.rejects(first, expected)
      assert.notEqual(read(req, {}), first)
    }
  })

  it('gives each its own body if it has getters', async () => {
    let current
    class Adapter { get rawBody () { return current } }
    for (const req of [
      Object.assign(new Adapter(), { headers, body: undefined }),
      { headers, body: undefined, get rawBody () { return current } }
    ]) {
      for (const [body, user] of [[alice, 'alice'], [bob, 'bob']]) {
        current = body
        assert.deepEqual(await json({ buffered }).read(req), { user })
      }
    }
  })

  it('is read after a call that lacked a next', async () => {
    const [req, parser] = [{ headers, body: alice }, json({ buffered })]
    assert.throws(() => parser(req, {}), { name: 'TypeError', message: /^next is not a function/ })
    assert.deepEqual(await run(parser, Object.assign(req, { body: bob }), {}), { user: 'bob' })
  })

  it('notes no types for it, which nobody would ever ask for', () => {
    const mismatchesOf = trackMismatches()
    const req = { headers }
    for (let i = 0; i < 3; i++) noteMismatch(req, TYPE)
    assert.deepEqual(mismatchesOf(req), [])
  })
})
