'use strict'

// Faults of connections and of framing, sent byte for byte, and compared with
// body-parser.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { asChunk, LAST_CHUNK } = require('../../../tools/http-message')
const { listen, stop } = require('../../../tools/local-server')

const JSON_TYPE = 'Content-Type: application/json\r\n'
const GZIP = 'Content-Encoding: gzip\r\n'
const large = zlib.gzipSync(JSON.stringify(Array.from({ length: 10_000 }, Math.random)))

/** A request, as its header and its body. */
function request (path, fields, body, { chunked = false, length } = {}) {
  const framing = chunked
    ? 'Transfer-Encoding: chunked\r\n'
    : `Content-Length: ${length ?? Buffer.byteLength(body)}\r\n`
  return {
    head: Buffer.from(`POST ${path} HTTP/1.1\r\nHost: test\r\n${fields}${framing}\r\n`),
    body: chunked ? Buffer.concat([asChunk(body), LAST_CHUNK]) : Buffer.from(body)
  }
}

const whole = ({ head, body }) => Buffer.concat([head, body])

/** The parsers of an app, by path. */
function appOf (bodyParser) {
  const no = () => { throw new Error('no') }
  const json = bodyParser.json()
  return {
    '/': json,
    '/small': bodyParser.json({ limit: 10 }),
    '/verify': bodyParser.json({ verify: no }),
    '/encoding': (req, res, next) => json(req.setEncoding('utf8'), res, next)
  }
}

/** Serves that app; `outcomes` records each call of `next`. */
async function serve (bodyParser, options = {}) {
  const app = appOf(bodyParser)
  const outcomes = []
  const server = http.createServer(options, (req, res) => app[req.url](req, res, (error) => {
    const outcome = error === undefined ? JSON.stringify(req.body) : `${error.status} ${error.type}`
    outcomes.push(outcome)
    res.statusCode = error?.status ?? 200
    res.end(`<${outcome}>`)
  }))
  await listen(server)
  return { server, outcomes }
}

/** Connects; `text` is what the server answers. */
async function connect (server) {
  const socket = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true })
  const client = { socket, text: '', closed: new Promise((resolve) => socket.once('close', resolve)) }
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (data) => { client.text += data })
  socket.on('end', () => socket.end())
  await once(socket, 'connect')
  return client
}

function statuses ({ text }) {
  return Array.from(text.matchAll(/HTTP\/1.1 (\d+) /g), ([, status]) => Number(status))
}

/** Waits for it, but not for ever: what has not happened, the outcome tells. */
async function until (isDone) {
  for (let waited = 0; !isDone() && waited < 4000; waited += 5) await delay(5)
}

/**
 * Runs `play` against both packages; it gets a server and gives what came of
 * it.
 */
async function compare (play, expected, options) {
  const results = []
  for (const bodyParser of [subject, oracle]) {
    const { server, outcomes } = await serve(bodyParser, options)
    results.push(await play(server, outcomes))
    stop(server)
  }
  if (expected !== undefined) assert.deepEqual(results[0], expected)
  assert.deepEqual(results[0], results[1], 'differs from body-parser')
}

/** The same for what body-parser does not answer at all. */
async function expect (play, expected, options) {
  const { server, outcomes } = await serve(subject, options)
  assert.deepEqual(await play(server, outcomes), expected)
  stop(server)
}

const messages = {
  'of declared length': request('/', JSON_TYPE, '{"a":1}'),
  'in chunks': request('/', JSON_TYPE, '{"a":1}', { chunked: true }),
  coded: request('/', JSON_TYPE + GZIP, zlib.gzipSync('{"a":1}')),
  'coded, in chunks': request('/', JSON_TYPE + GZIP, zlib.gzipSync('{"a":1}'), { chunked: true })
}

describe('connections', () => {
  describe('that stall amid a body', () => {
    const timeouts = { requestTimeout: 60, headersTimeout: 60, connectionsCheckingInterval: 20 }
    for (const [what, message] of Object.entries(messages)) {
      it(`${what} end with the server's requestTimeout`, () => {
        const play = async (server, outcomes) => {
          const client = await connect(server)
          client.socket.write(whole(message).subarray(0, -4))
          await client.closed
          await until(() => outcomes.length > 0)
          return [...outcomes, ...statuses(client)]
        }
        const expected = ['400 request.aborted', 408]
        return what.startsWith('coded') ? expect(play, expected, timeouts) : compare(play, expected, timeouts)
      })
    }
  })

  describe('with wrong framing', () => {
    const send = (pieces, isAsked = true) => async (server, outcomes) => {
      const client = await connect(server)
      for (const piece of pieces) client.socket.write(piece)
      await client.closed
      await until(() => outcomes.length > 0 || !isAsked)
      return [...outcomes, statuses(client).at(-1)]
    }

    it('of more bytes than the declared length', () =>
      compare(send([whole(messages['of declared length']), 'more, which is no request\r\n\r\n']), ['{"a":1}', 400]))

    it('of fewer bytes than the declared length, and another request', () => compare(
      send([whole(request('/', JSON_TYPE, '{"a":1}', { length: 9 })), whole(messages['of declared length'])]),
      ['400 entity.parse.failed', 400]
    ))

    it('of both a length and a transfer coding', () => compare(
      send([whole(request('/', `${JSON_TYPE}Content-Length: 7\r\n`, '{"a":1}', { chunked: true }))], false),
      [400]
    ))

    it('of two lengths', () =>
      compare(send([whole(request('/', `${JSON_TYPE}Content-Length: 8\r\n`, '{"a":1}'))], false), [400]))

    it('of a broken chunk', () => compare(
      send([request('/', JSON_TYPE, '', { chunked: true }).head, asChunk('{"a"'), 'no chunk\r\n']),
      ['400 request.aborted', 400]
    ))

    it('of a chunk that is longer than it declares', () => compare(
      send([request('/', JSON_TYPE, '', { chunked: true }).head, '2\r\n{"a":1}\r\n']),
      ['400 request.aborted', 400]
    ))

    for (const [length, pieces, fields = ''] of [
      [2, ['{}']],
      [2, ['{}', 'hello']],
      [9, ['{}']],
      [2, ['{}', ' '.repeat(200_000)]],
      [9, [zlib.gzipSync('{}')], GZIP]
    ]) {
      const what = `${pieces.length} chunks${fields && ' of gzip'}`
      it(`of a length of ${length} beside ${what}, for insecureHTTPParser`, () => {
        const { head } = request('/', `${JSON_TYPE}${fields}Content-Length: ${length}\r\n`, '', { chunked: true })
        return compare(async (server, outcomes) => {
          const { socket } = await connect(server)
          socket.write(Buffer.concat([head, ...pieces.map(asChunk), LAST_CHUNK]))
          await until(() => outcomes.length > 0)
          return outcomes
        }, undefined, { insecureHTTPParser: true })
      })
    }
  })

  const faults = {
    'invalid JSON': [request('/', JSON_TYPE, '{"a":'), '400 entity.parse.failed'],
    'a length over the limit': [request('/small', JSON_TYPE, '{"a":"123456789"}'), '413 entity.too.large'],
    'chunks over the limit': [
      request('/small', JSON_TYPE, '{"a":"123456789"}', { chunked: true }), '413 entity.too.large'
    ],
    'a coded body over the limit': [
      request('/small', JSON_TYPE + GZIP, zlib.gzipSync('{"a":"123456789"}')), '413 entity.too.large'
    ],
    'a large coded body over the limit': [request('/small', JSON_TYPE + GZIP, large), '413 entity.too.large'],
    'a corrupt coded body': [request('/', JSON_TYPE + GZIP, 'junk that is not gzip'), '400 undefined'],
    'an unknown coding': [request('/', `${JSON_TYPE}Content-Encoding: x\r\n`, '{}'), '415 encoding.unsupported'],
    'a charset not allowed': [
      request('/', 'Content-Type: application/json; charset=x\r\n', '{}'), '415 charset.unsupported'
    ],
    'an encoding that is set': [request('/encoding', JSON_TYPE, '{}'), '500 stream.encoding.set'],
    'a body that verify refuses': [request('/verify', JSON_TYPE, '{}'), '403 entity.verify.failed']
  }
  const good = whole(messages['of declared length'])
  const chunked = whole(messages['in chunks'])

  describe('serve pipelined requests in order after', () => {
    const play = (bytes, count) => async (server, outcomes) => {
      const client = await connect(server)
      client.socket.write(bytes)
      await until(() => statuses(client).length === count)
      return [outcomes.toSorted(), Array.from(client.text.matchAll(/<(.*?)>/g), ([, outcome]) => outcome)]
    }

    for (const [what, [message, expected]] of Object.entries(faults)) {
      it(what, () => compare(
        play(Buffer.concat([whole(message), good, whole(message), chunked]), 4),
        [[expected, '{"a":1}', expected, '{"a":1}'].toSorted(), [expected, '{"a":1}', expected, '{"a":1}']]
      ))
    }

    it('sixty bodies in one packet', () => {
      const bodies = Array.from({ length: 60 }, (_, index) => JSON.stringify({ index }))
      const requests = bodies.map((body, index) =>
        whole(request('/', index % 3 === 2 ? JSON_TYPE + GZIP : JSON_TYPE, index % 3 === 2 ? zlib.gzipSync(body) : body,
          { chunked: index % 2 === 1 })))
      return compare(play(Buffer.concat(requests), 60), [bodies.toSorted(), bodies])
    })
  })
})
