'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const http2 = require('node:http2')
const { PassThrough, Readable } = require('node:stream')
const express = require('express')
const inject = require('light-my-request')
const bodyParser = require('fast-body-parser')
const { listen } = require('../../tools/local-server')
const exchange = require('../support/exchange')
const fetchFrom = require('../support/express')
const { messageOf } = require('../support/lanes')

const { json, raw, refuseUnparsed, text, urlencoded } = bodyParser

/** An app of these handlers; gives status, Accept and what was answered. */
async function ask (handlers, { onError = (error, req, res, next) => next(error), ...request } = {}) {
  const echo = (req, res) => res.json({ body: req.body ?? null })
  const { status, headers, text } = await fetchFrom([...handlers, echo, onError], request)
  return [status, headers.get('accept'), status === 200 ? JSON.parse(text).body : undefined]
}

const XML = { headers: { 'content-type': 'text/xml; charset=utf-8' }, body: '<a/>' }

describe('refuseUnparsed', () => {
  it('refuses content that no parser took, and names what they take', async () => {
    assert.deepEqual(await ask([json(), urlencoded(), refuseUnparsed()], XML),
      [415, 'application/json, application/x-www-form-urlencoded', undefined])
  })

  for (const [what, request] of [
    ['in chunks', { ...XML, body: new Blob(['<a/>']).stream() }],
    ['without a type', { body: Buffer.from('x') }],
    ['of an invalid type', { headers: { 'content-type': 'xml' }, body: 'x' }],
    ['of a GET', null],
    ['of a coded body', { headers: { ...XML.headers, 'content-encoding': 'gzip' }, body: 'x' }]
  ]) {
    it(`refuses content ${what}`, async () => {
      if (request !== null) {
        assert.deepEqual((await ask([json(), refuseUnparsed()], request)).slice(0, 2), [415, 'application/json'])
        return
      }
      const message = messageOf({ headers: { 'Content-Type': 'text/xml' }, body: '<a/>' })
      const { error } = await exchange(refuseUnparsed(), { ...message, head: message.head.replace('POST', 'GET') })
      assert.deepEqual([error.status, error.type, error.message, error.expose],
        [415, 'media.type.unsupported', 'unsupported media type "text/xml"', true])
    })
  }

  for (const [what, handlers, request, body] of [
    ['what a parser took', [json(), urlencoded(), refuseUnparsed()],
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' }, { a: '1' }],
    ['a request without content', [json(), refuseUnparsed()], { method: 'GET' }, null],
    ['a request of no bytes', [json(), refuseUnparsed()], { headers: { 'content-type': 'text/xml' }, body: '' }, null],
    ['what other code has read',
      [async (req, res, next) => { req.body = String(Buffer.concat(await req.toArray())); next() }, json(),
        refuseUnparsed()], XML, '<a/>'],
    ['what other code reads', [(req, res, next) => { req.on('data', () => {}); next() }, json(), refuseUnparsed()], XML,
      null],
    ['what other code is going to read',
      [(req, res, next) => { req.on('data', () => {}).pause(); next() }, json(), refuseUnparsed()], XML, null],
    ['what other code awaits',
      [(req, res, next) => { req.on('readable', () => req.read()); next() }, json(), refuseUnparsed()], XML, null],
    ['what other code has begun to read',
      [(req, res, next) => req.once('data', () => { req.pause(); next() }), json(), refuseUnparsed()], XML, null],
    ['what a parser behind took', [text({ type: 'text/xml' }), refuseUnparsed()], XML, '<a/>']
  ]) {
    it(`lets ${what} pass`, async () => {
      assert.deepEqual(await ask(handlers, request), [200, null, body])
    })
  }

  it('refuses a request that code has paused before anything was read', async () => {
    assert.deepEqual((await ask([(req, res, next) => { req.pause(); next() }, refuseUnparsed()], XML))[0], 415)
  })

  it('refuses a request of which code has put back what it has read', async () => {
    const peek = (req, res, next) => {
      req.once('readable', () => {
        req.unshift(req.read())
        next()
      })
    }
    assert.deepEqual((await ask([peek, json(), refuseUnparsed()], XML))[0], 415)
  })

  it('goes by what was read of a stream, and not by its field readable or its writable side', async () => {
    const { headers } = XML
    const create = () => Object.assign(new PassThrough(), { headers: { ...headers, 'content-length': '4' } })
    const unread = [create().end('<a/>'), Object.assign(create(), { readable: false, complete: true, socket: {} })]
    for (const req of unread) {
      const error = await new Promise((resolve) => refuseUnparsed()(req, {}, resolve))
      assert.equal(error.type, 'media.type.unsupported')
    }
  })

  it('lets pass what a parser has found in a field of a stream that nobody has read', async () => {
    const parser = text({ buffered: true, type: 'text/xml' })
    const req = Object.assign(new Readable({ read () {} }), { headers: { ...XML.headers, 'content-length': '4' } })
    Object.assign(req, { readable: false, body: Buffer.from('<a/>') })
    await parser.read(req, {})
    assert.equal(req.body, '<a/>')
    assert.equal(await new Promise((resolve) => refuseUnparsed()(req, {}, resolve)), undefined)
  })

  for (const [type, accept] of [
    ['text/*', 'text/*'],
    ['*/yaml', null],
    ['json', 'application/json'],
    ['+json', null],
    [['application/a', 'application/b+json', 'application/a', () => {}, 5], 'application/a, application/b+json'],
    ['APPLICATION/JSON', null],
    ['application/json; charset=utf-8', null],
    [() => false, null]
  ]) {
    it(`names ${String(type)} as ${accept}`, async () => {
      assert.deepEqual((await ask([json({ type }), refuseUnparsed()],
        { headers: { 'content-type': 'image/png' }, body: 'x' })).slice(0, 2), [415, accept])
    })
  }

  it('names each type once, of the parsers that the request has passed', async () => {
    const router = express.Router()
    router.use(raw())
    const chain = [json(), urlencoded(), json(), (req, res, next) => next(),
      bodyParser.createParser({ type: 'a/b', parse: String }), refuseUnparsed()]
    assert.deepEqual((await ask(chain, XML))[1], 'application/json, application/x-www-form-urlencoded, a/b')
    assert.deepEqual((await ask([refuseUnparsed(), json()], XML))[1], null)
    assert.deepEqual((await ask([router, refuseUnparsed()], XML))[1], 'application/octet-stream')
  })

  it('does not touch a response that is under way', async () => {
    const { error, next } = await exchange((req, res, next) => json()(req, res, () => {
      res.writeHead(200)
      refuseUnparsed()(req, res, next)
    }), messageOf({ headers: { 'Content-Type': 'a/b' }, body: 'x' }))
    assert.deepEqual([error.status, next], [415, 1])
  })

  it('leaves the connection usable', async () => {
    for (const chunked of [false, true]) {
      const { reusable, error } = await exchange((req, res,
        next) => json()(req, res, () => refuseUnparsed()(req, res, next)),
      messageOf({ headers: { 'Content-Type': 'a/b' }, body: 'x'.repeat(1000), chunked }))
      assert.deepEqual([reusable, error.status], [true, 415])
    }
  })

  it('knows content over HTTP/2', async () => {
    const server = http2.createServer((req, res) =>
      refuseUnparsed()(req, res, (error) => res.end(error?.type ?? 'passed')))
    const client = http2.connect(`http://127.0.0.1:${await listen(server)}`)
    const post = async (body) => {
      const stream = client.request({ ':method': 'POST', 'content-type': 'text/xml' },
        { endStream: body === undefined })
      if (body !== undefined) stream.end(body)
      return Buffer.concat(await stream.toArray()).toString()
    }
    assert.deepEqual([await post('<a/>'), await post()], ['media.type.unsupported', 'passed'])
    client.close()
    server.close()
  })

  it('knows content of injected requests', async () => {
    const dispatch = (req,
      res) => json()(req, res, () => refuseUnparsed()(req, res, (error) => res.end(error?.type ?? 'passed')))
    const payloadOf = async (request) => (await inject(dispatch, { method: 'POST', url: '/', ...request })).payload
    assert.equal(await payloadOf({ headers: XML.headers, payload: '<a/>' }), 'media.type.unsupported')
    assert.equal(await payloadOf({ headers: { 'content-type': 'application/json' }, payload: '{}' }), 'passed')
  })

  it('lets plain objects pass, which are not streams', () => {
    let args
    refuseUnparsed()({ headers: { 'content-length': '2' }, body: '{}' }, {}, (...given) => { args = given })
    assert.deepEqual(args, [])
  })

  it('is a middleware, and takes no options', () => {
    const middleware = refuseUnparsed()
    assert.deepEqual([middleware.name, middleware.length], ['refuseUnparsed', 3])
    for (const options of [null, {}, 5, new http.IncomingMessage(null)]) {
      assert.throws(() => refuseUnparsed(options), { name: 'TypeError', message: 'refuseUnparsed takes no options' })
    }
  })
})
