'use strict'

// `Expect: 100-continue` under a server that listens to `checkContinue`: the
// client sends its body once it is told to.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const { PassThrough } = require('node:stream')
const { text } = require('node:stream/consumers')
const zlib = require('node:zlib')
const bodyParser = require('../../../')
const { serializeHead } = require('../../../tools/http-message')
const Talk = require('../../../tools/talk')
const HANG_TIME = require('../../support/hang-time')
const serving = require('../../support/serving')
const { form } = require('../../support/upload')

const TYPES = {
  json: 'application/json',
  text: 'text/plain',
  multipart: 'multipart/form-data; boundary=b',
  ndjson: 'application/x-ndjson'
}

/** Answers with the status of the error, or with what was parsed. */
const answering = (parser) => (req, res) => parser(req, res, async (error) => {
  if (res.headersSent) return res.end()
  res.statusCode = error?.status ?? 200
  const records = []
  if (req.body?.[Symbol.asyncIterator]) for await (const record of req.body) records.push(record)
  res.end(JSON.stringify(error?.type ?? (records.length > 0 ? records : req.body ?? null)))
})

/**
 * Sends the head of a request, and its body once the server asks for it.
 *
 * @returns {Promise<{ continues: number, status: number, isClosed: boolean, body: string, sent: boolean }>}
 */
function exchange (listen, fields, body, { version = '1.1', length = body.length, isEager = false } = {}) {
  const server = http.createServer()
  listen(server)
  return serving(server, async (port) => {
    const talk = await Talk.open(port)
    const headers = { Host: 'test', Expect: '100-continue', 'Content-Length': length, ...fields }
    talk.write(serializeHead({ version }, headers))
    if (isEager) talk.write(body)
    const isAsked = () => /^HTTP\/1\.1 100 /.test(talk.text)
    await talk.until(() => talk.answers > 0 || isAsked(), HANG_TIME)
    const sent = isEager || isAsked()
    if (sent && !isEager) talk.write(body)
    await talk.until(() => talk.answers > 0 && /\r\n\r\n(?!HTTP)[^\r]+/.test(talk.text), HANG_TIME)
    talk.close()
    const heads = talk.text.match(/HTTP\/1\.1 \d+/g)
    return {
      continues: heads.filter((head) => head.endsWith(' 100')).length,
      status: Number(heads.at(-1).slice(-3)),
      isClosed: /^connection: close\r$/mi.test(talk.text),
      body: talk.text.slice(talk.text.lastIndexOf('\r\n\r\n') + 4),
      sent
    }
  })
}

const asked = (middleware) => (server) => server.on('checkContinue', answering(middleware))
const parsed = (body) => ({ continues: 1, status: 200, isClosed: false, body: JSON.stringify(body), sent: true })
const refused = (status, type) => ({ continues: 0, status, isClosed: true, body: JSON.stringify(type), sent: false })

describe('a client that waits for 100 Continue', () => {
  const object = Buffer.from('{"a":1}')
  const large = Buffer.from(JSON.stringify(Array.from({ length: 1000 }, (_, i) => `${i}`)))
  const formBody = form(['a', '1'], ['f', 'x', 'y'])
  // [what, parser, type, body, what is parsed, coding]
  const rows = [
    ['json', bodyParser.json(), TYPES.json, object, { a: 1 }],
    ['json of a large gzip body', bodyParser.json(), TYPES.json, large, JSON.parse(large), 'gzip'],
    ['multipart', bodyParser.multipart(), TYPES.multipart, formBody, { a: '1' }],
    ['a loop over records', bodyParser.ndjson(), TYPES.ndjson, object, [{ a: 1 }]]
  ]
  for (const [what, parser, type, body, expected, coding] of rows) {
    it(`is told to go on by ${what}`, async () => {
      const fields = { 'Content-Type': type, ...(coding && { 'Content-Encoding': coding }) }
      assert.deepEqual(await exchange(asked(parser), fields, coding ? zlib.gzipSync(body) : body), parsed(expected))
    })
  }

  // [what, parser, fields, options, outcome]
  const refusals = [
    ['a declared length over the limit', bodyParser.json(), { 'Content-Type': TYPES.json }, { length: 1e6 },
      refused(413, 'entity.too.large')],
    ['a form without a boundary', bodyParser.multipart(), { 'Content-Type': 'multipart/form-data' }, {},
      refused(400, 'multipart.boundary.missing')],
    ['a media type', bodyParser.refuseUnparsed(), { 'Content-Type': 'a/b' }, {},
      refused(415, 'media.type.unsupported')]
  ]
  for (const [what, parser, fields, options, outcome] of refusals) {
    it(`is not told to go on if ${what} is refused`, async () => {
      assert.deepEqual(await exchange(asked(parser), fields, object, options), outcome)
    })
  }

  it('is not told to go on by a parser of another type', async () => {
    assert.deepEqual(await exchange(asked(bodyParser.json()), { 'Content-Type': TYPES.text }, object),
      { ...parsed(null), continues: 0, isClosed: true, sent: false })
  })

  it('is told once by an app that does so itself, or by Node', async () => {
    const parser = bodyParser.json()
    const own = (req, res, next) => {
      res.writeContinue()
      parser(req, res, next)
    }
    const byNode = (server) => server.on('request', answering(parser)) // which tells it before
    for (const listen of [asked(own), byNode]) {
      assert.deepEqual(await exchange(listen, { 'Content-Type': TYPES.json }, object), parsed({ a: 1 }))
    }
  })

  it('is not told after the app has begun to answer', async () => {
    const parser = bodyParser.json()
    const early = (req, res, next) => {
      res.write('early')
      parser(req, res, next)
    }
    const seen = await exchange(asked(early), { 'Content-Type': TYPES.json }, object, { isEager: true })
    assert.deepEqual([seen.continues, seen.status], [0, 200])
  })

  it('is not told over HTTP/1.0, nor if it expects something else', async () => {
    const listen = (server) =>
      server.on('request', answering(bodyParser.json())).on('checkExpectation', answering(bodyParser.json()))
    for (const [fields, version] of [[{}, '1.0'], [{ Expect: '200-ok' }, '1.1']]) {
      const seen = await exchange(listen, { 'Content-Type': TYPES.json, ...fields }, object, { version, isEager: true })
      assert.deepEqual([seen.continues, seen.status, seen.body], [0, 200, '{"a":1}'])
    }
  })

  it('is not asked for with a response or a request of an adapter', async () => {
    const failing = { headersSent: false, writeContinue () { throw new Error('no') } }
    for (const res of [undefined, {}, failing]) {
      for (const [expect, version] of [
        ['100-continue', {}],
        ['100-continue', { httpVersionMajor: 1 }],
        ['100-continue', { httpVersionMajor: 2 }],
        ['200-ok', { httpVersionMajor: 2, stream: { closed: false } }]
      ]) {
        const headers = { 'content-type': TYPES.json, 'content-length': '7', expect }
        const req = Object.assign(new PassThrough(), { headers, ...version })
        const outcome = new Promise((resolve) => bodyParser.json()(req, res, resolve))
        req.end(object)
        assert.deepEqual([await outcome, req.body], [undefined, { a: 1 }])
      }
    }
  })
})

describe('a client that waits for 100 Continue over HTTP/2', () => {
  /** How often it is told, and what it is answered. */
  async function ask (event, middleware, fields = {}) {
    // A server without a listener emits no `checkContinue` either.
    const server = http2.createServer(event === 'request' ? middleware : () => {})
    if (event !== 'request') server.on(event, middleware)
    return serving(server, async (port) => {
      const client = http2.connect(`http://127.0.0.1:${port}`)
      const stream = client.request({
        ':method': 'POST', expect: '100-continue', 'content-type': TYPES.json, ...fields
      })
      let continues = 0
      stream.on('continue', () => { if (++continues === 1) stream.end('{"a":1}') })
      const [headers] = await once(stream, 'response')
      const body = await text(stream)
      client.destroy()
      return [continues, headers[':status'], body]
    })
  }
  const json = bodyParser.json()

  it('is told once', async () => {
    assert.deepEqual(await ask('checkContinue', answering(json)), [1, 200, '{"a":1}'])
    assert.deepEqual(await ask('request', answering(json)), [1, 200, '{"a":1}'])
    assert.deepEqual(await ask('checkContinue', answering((req, res, next) => {
      res.writeContinue()
      json(req, res, next)
    })), [1, 200, '{"a":1}'])
  })

  it('is not told if its body is refused', async () => {
    assert.deepEqual(await ask('checkContinue', answering(json), { 'content-length': 1e6 }),
      [0, 413, '"entity.too.large"'])
  })

  for (const [end, status] of [['close', 400], ['destroy', undefined]]) {
    it(`is not told on a stream that ${end} has ended`, async () => {
      const server = http2.createServer(() => {})
      const outcome = new Promise((resolve) => server.on('checkContinue', (req, res) => {
        req.stream.on('error', () => {})
        req.stream[end]()
        json(req, res, resolve)
      }))
      await serving(server, async (port) => {
        const client = http2.connect(`http://127.0.0.1:${port}`)
        client.request({ ':method': 'POST', expect: '100-continue', 'content-type': TYPES.json }).on('error', () => {})
        assert.equal((await outcome)?.status, status)
        client.destroy()
      })
    })
  }
})
