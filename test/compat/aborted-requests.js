'use strict'

// Requests that end before their body does: the client closes the connection,
// or resets the stream.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http2 = require('node:http2')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { messageOf } = require('../../tools/http-message')
const HANG_TIME = require('../support/hang-time')
const { connect } = require('../support/shared-server')
const { table } = require('../support/table')

// Of HTTP/2: types of frames, flags, and error codes.
const [DATA, HEADERS, RST_STREAM, SETTINGS, PING] = [0, 1, 3, 4, 6]
const [END_STREAM, END_HEADERS] = [1, 4]
const [NO_ERROR, CANCEL] = [0, 8]

const JSON_TYPE = { 'Content-Type': 'application/json' }
const aborted = {
  message: 'request aborted',
  status: 400,
  code: 'ECONNABORTED',
  type: 'request.aborted',
  constructor: 'BadRequestError'
}

describe('aborted requests', () => {
  describe('are reported if the client closes the connection', () => {
    const cut = { parser: 'json', headers: JSON_TYPE, body: '{"a":', cut: true }
    const arrivals = ['together', 'afterwards', 'bytes']
    const tooLarge = { error: { status: 413 } }
    const expect = (fields) => ({ error: { ...aborted, ...fields } })
    table([
      {
        it: 'amid a body of declared length',
        ...cut,
        length: 30,
        arrivals,
        expect: expect({ expected: 30, length: 30, received: 5 })
      },
      { it: 'before the body', ...cut, body: '', length: 30, expect: expect({ expected: 30, received: 0 }) },
      {
        it: 'amid a chunked body',
        ...cut,
        chunked: true,
        arrivals,
        expect: expect({ expected: null, length: null, received: 5 })
      },
      { it: 'amid a body over the limit', ...cut, options: { limit: 3 }, length: 30, expect: tooLarge },
      {
        it: 'amid a chunked body over the limit',
        ...cut,
        options: { limit: 3 },
        chunked: true,
        ignore: ['error'],
        expect: tooLarge
      }
    ])
  })

  describe('over HTTP/2', () => {
    const length = { 'content-length': '14' }
    for (const [name, code] of Object.entries({ NO_ERROR, CANCEL })) {
      for (const sent of ['', 'amount=1']) {
        it(`are reported for RST_STREAM with ${name} after ${sent ||
          'no byte'}, with a declared length or without`, async () => {
          const ours = await outcomeOf(subject, length, sent, code)
          assert.deepEqual(ours, ['request.aborted', undefined, true])
          assert.deepEqual(await outcomeOf(oracle, length, sent, code), ours)
          assert.deepEqual(await outcomeOf(subject, {}, sent, code), ours)
        })
      }
    }

    it('call next, with what has come, for RST_STREAM with NO_ERROR as the app answers', async () => {
      const outcome = (bodyParser,
        fields) => outcomeOf(bodyParser, fields, 'amount=1', NO_ERROR, (res) => res.end('early'))
      const ours = await outcome(subject, length)
      assert.deepEqual(ours, ['request.size.invalid', undefined, false])
      assert.deepEqual(await outcome(oracle, length), ours)
      assert.deepEqual(await outcome(subject, {}), [undefined, { amount: '1' }, false])
    })

    it('do not include a request that ends, with a declared length or without', async () => {
      const ours = await outcomeOf(subject, length, 'amount=1000000')
      assert.deepEqual(ours, [undefined, { amount: '1000000' }, false])
      assert.deepEqual(await outcomeOf(oracle, length, 'amount=1000000'), ours)
      assert.deepEqual(await outcomeOf(subject, {}, 'amount=1000000'), ours)
    })
  })

  it('call next after an early answer only if something bounds the body', async () => {
    const budget = subject.createBudget({ bytes: '1mb' })
    const parsers = [oracle.json(), subject.json(), subject.json({ budget })]
    assert.deepEqual(await Promise.all(parsers.map(countCalls)), [0, 0, 1])
  })
})

/** How often `next` is called after a client has got its answer, and leaves before its body is whole. */
async function countCalls (parser) {
  let calls = 0
  const talk = await connect((req, res) => {
    parser(req, res, () => { calls++ })
    res.end('early')
  })
  const closed = new Promise((resolve) => talk.peer.once('close', resolve))
  await talk.send(messageOf({ headers: JSON_TYPE, length: 9, body: '[1' }))
  assert.ok(await talk.until(() => talk.answers > 0, HANG_TIME))
  talk.close()
  await closed
  await new Promise(setImmediate)
  return calls
}

/** The outcome of a form of which this is sent, before the stream is reset or ends, and the app answers. */
async function outcomeOf (bodyParser, fields, sent, code, answer) {
  const server = http2.createServer()
  let response
  const outcome = new Promise((resolve) => {
    server.once('request', (req, res) => {
      response = res
      bodyParser.urlencoded()(req, res, (error) => resolve([error?.type, req.body, req.aborted]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = net.connect(server.address().port, '127.0.0.1')
  const headers = {
    ':method': 'POST',
    ':scheme': 'http',
    ':authority': 'test',
    ':path': '/',
    'content-type': 'application/x-www-form-urlencoded',
    ...fields
  }
  client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  client.write(frameOf(SETTINGS, 0, 0, ''))
  client.write(frameOf(HEADERS, END_HEADERS, 1, literalsOf(headers)))
  if (sent !== '') client.write(frameOf(DATA, 0, 1, sent))
  client.write(frameOf(PING, 0, 0, 'answer.!'))
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    if (chunk.includes('answer.!')) break // all the above has been read
  }
  if (answer !== undefined) await delay(1) // a turn that begins before the server reads
  client.write(code === undefined
    ? frameOf(DATA, END_STREAM, 1,
        '')
    : frameOf(RST_STREAM, 0, 1, Buffer.of(0, 0, 0, code)))
  answer?.(response)
  try {
    return await outcome
  } finally {
    client.destroy()
    server.close()
  }
}

/** RFC 9113, section 4.1. Node's own client ends a stream before it resets it. */
function frameOf (type, flags, stream, payload) {
  const head = Buffer.alloc(9)
  head.writeUIntBE(Buffer.byteLength(payload), 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, Buffer.from(payload)])
}

/** RFC 7541, section 6.2.2: names and values without compression. */
function literalsOf (headers) {
  const texts = Object.entries(headers).map(([name, value]) => [0, name.length, name, value.length, value])
  return Buffer.concat(texts.flat().map((part) => typeof part === 'number' ? Buffer.of(part) : Buffer.from(part)))
}
