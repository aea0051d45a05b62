'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { CODERS } = require('../../support/coders')
const exchange = require('../../support/exchange')
const { messageOf, messagesOf } = require('../../support/lanes')
const OF_BODY_PARSER = require('../../support/types')

const TYPES = { ...OF_BODY_PARSER, custom: 'application/x' }
const make = (name, options) =>
  name === 'custom'
    ? subject.createParser({ type: TYPES.custom, parse: (text) => text, ...options })
    : subject[name](options)

async function send (parser, message) {
  let req
  const { complete, ended, ...seen } = await exchange((request, res, next) => {
    req = request
    parser(request, res, next)
  }, message)
  return { seen, req }
}

describe("rawBody: 'coded'", () => {
  for (const [name, type] of Object.entries(TYPES)) {
    for (const [coding, code] of Object.entries({ identity: Buffer.from, ...CODERS })) {
      it(`of ${name} is the ${coding} body as it was sent, however it arrives`, async () => {
        const body = code('["é",1]')
        for (const [way, message] of Object.entries(messagesOf({
          headers: { 'Content-Type': type, 'Content-Encoding': coding },
          body
        }))) {
          const { seen, req } = await send(make(name, { rawBody: 'coded' }), message)
          const { seen: without } = await send(make(name), message)
          assert.ok(req.rawBody.equals(body), way)
          assert.deepEqual(seen, without, way)
          assert.equal(seen.error, 'none', way)
        }
      })
    }
  }

  it('is there before verify and parse, which get what was decompressed', async () => {
    const body = zlib.gzipSync('{}')
    const seen = []
    const verify = (req, res, bytes) => seen.push(['verify', req.rawBody.equals(body), String(bytes)])
    const parse = (text, { req }) => seen.push(['parse', req.rawBody.equals(body), text])
    await send(subject.json({ rawBody: 'coded', verify, parse }),
      messageOf({ headers: { 'Content-Type': TYPES.json, 'Content-Encoding': 'gzip' }, body }))
    assert.deepEqual(seen, [['verify', true, '{}'], ['parse', true, '{}']])
  })

  it('is in memory of its own', async () => {
    const parser = subject.text({ rawBody: 'coded', limit: '1mb' })
    const bodies = ['a', 'b', 'c'].map((letter) => zlib.deflateRawSync(letter.repeat(50_000), { level: 0 }))
    const coded = ['a', 'b', 'c'].map((letter) => zlib.gzipSync(letter.repeat(50_000), { level: 0 }))
    const kept = []
    for (const body of coded) {
      const { req } = await send(parser,
        messageOf({
          headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' },
          body,
          chunked: true,
          pieces: [body.subarray(0, 9), body.subarray(9)]
        }))
      kept.push(req.rawBody)
    }
    assert.equal(bodies.length, 3)
    for (const [i, bytes] of kept.entries()) assert.ok(bytes.equals(coded[i]))
  })

  for (const [what, request, options, status, type, kept] of [
    ['a corrupt body', { body: 'junk' }, {}, 400, undefined, 'junk'],
    ['an empty body', { body: '' }, {}, 400, undefined, ''],
    ['a body over the limit when it is decompressed', { body: zlib.gzipSync('"'.repeat(5000)) }, { limit: 1000 }, 413,
      'entity.too.large', zlib.gzipSync('"'.repeat(5000))],
    ['a body over the limit before that', { body: Buffer.concat(Array(60).fill(zlib.gzipSync(''))) }, { limit: 1000 },
      413, 'entity.too.large', null],
    ['a body over the limit before that, in chunks',
      { body: Buffer.concat(Array(60).fill(zlib.gzipSync(''))), chunked: true }, { limit: 1000 }, 413,
      'entity.too.large', null],
    ['an unknown charset', { headers: { 'Content-Type': 'application/json; charset=utf-x' }, body: 'x' }, {}, 415,
      'charset.unsupported', null],
    ['an unknown coding', { headers: { 'Content-Encoding': 'x' }, body: 'x' }, {}, 415, 'encoding.unsupported', null],
    ['a client that leaves', { body: zlib.gzipSync('{}').subarray(0, 9), length: 99, cut: true }, {}, 400,
      'request.aborted', null]
  ]) {
    it(`${kept === null ? 'is not set' : 'stays'} for ${what}`, async () => {
      const { seen: { error, next, reusable }, req } = await send(subject.json({ rawBody: 'coded', ...options }),
        messageOf({
          ...request,
          headers: { 'Content-Type': TYPES.json, 'Content-Encoding': 'gzip', ...request.headers }
        }))
      assert.deepEqual([error.status, error.type, next, reusable], [status, type, 1, request.cut ? undefined : true])
      assert.equal('rawBody' in req, kept !== null)
      if (kept !== null) assert.ok(req.rawBody.equals(Buffer.from(kept)))
    })
  }

  it('goes with a parser in slices', async () => {
    const body = zlib.gzipSync(JSON.stringify(Array(5000).fill('é')))
    const { seen, req } = await send(subject.json({ rawBody: 'coded', cooperative: { threshold: 100 } }),
      messageOf({ headers: { 'Content-Type': TYPES.json, 'Content-Encoding': 'gzip' }, body }))
    assert.equal(seen.error, 'none')
    assert.ok(req.rawBody.equals(body))
  })

  it('reports a setter of the app that throws', async () => {
    for (const coding of ['gzip', 'identity']) {
      const parser = subject.json({ rawBody: 'coded' })
      const { error } = await exchange((req, res, next) => {
        Object.defineProperty(req, 'rawBody', { get () {}, set () { throw new Error('mine') } })
        parser(req, res, next)
      }, messageOf({
        headers: { 'Content-Type': TYPES.json, 'Content-Encoding': coding },
        body: coding === 'gzip' ? zlib.gzipSync('{}') : '{}'
      }))
      assert.deepEqual([error.message, error.status], ['mine', 400])
    }
  })

  it('excludes buffered and inflate: false', () => {
    for (const name of Object.keys(TYPES)) {
      assert.throws(() => make(name, { rawBody: 'coded', buffered: true }),
        { name: 'TypeError', message: "option buffered cannot be combined with rawBody: 'coded'" })
      assert.throws(() => make(name, { rawBody: 'coded', inflate: false }),
        { name: 'TypeError', message: "option rawBody: 'coded' cannot be combined with inflate: false" })
    }
  })
})
