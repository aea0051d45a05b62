'use strict'

// What others see of a request that the parser may not get: it is answered
// first, cut off, destroyed, or reset.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http2 = require('node:http2')
const net = require('node:net')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { alike, EVENTS, FLOW, lostState, moments, noteEvents } = require('../support/observation')

// Of HTTP/2: types of frames, flags, and error codes.
const [DATA, HEADERS, RST_STREAM, SETTINGS, PING] = [0, 1, 3, 4, 6]
const [END_STREAM, END_HEADERS] = [1, 4]
const [NO_ERROR, CANCEL] = [0, 8]

const events = EVENTS.filter((name) => !FLOW.includes(name))

describe('observers of a request that is lost', () => {
  describe('a request that is answered before it is parsed', () => {
    const bodies = { 'a body': 'amount=1000000', 'an empty body': '' }
    for (const [what, body] of Object.entries(bodies)) {
      const request = { body, type: 'application/x-www-form-urlencoded' }
      for (const [when, later] of Object.entries(moments)) {
        alike(`is read the same, with ${what}, ${when}`, ({ req, res, bodyParser, note, next }) => {
          res.end('OK')
          later(() => bodyParser.urlencoded()(req, res, (error) => {
            note(lostState(req))
            next(error)
          }))
        }, request)

        alike(`is read the same while its connection lasts, with ${what}, ${when}`, ({ req, res, bodyParser, note, done }) => {
          req.socket.once('close', () => {
            note('closed')
            done()
          })
          res.end('OK')
          later(() => bodyParser.urlencoded()(req, res, (error) => note(lostState(req), error?.type, req.body)))
        }, { ...request, fields: 'Connection: close\r\n' })
      }
    }
  })

  describe('a request that is cut off', () => {
    const bodies = { 'without a byte': '', 'in its body': '{"a":1}' }
    for (const [where, body] of Object.entries(bodies)) {
      for (const listens of [false, true]) {
        alike(`emits the same, ${where}${listens ? ', if somebody listens for errors' : ''}`, ({ req, res, parser, note, next }) => {
          noteEvents(req, note, events)
          if (listens) req.on('error', () => {})
          parser(req, res, (error) => {
            note(lostState(req))
            next(error)
          })
        }, { body, cut: true })
      }
    }
  })

  describe('a request that is destroyed', () => {
    const acts = {
      'the request': (req) => req.destroy(),
      'the request, with an error': (req) => req.destroy(new Error('own')),
      'its connection': (req) => req.socket.destroy()
    }
    for (const [what, act] of Object.entries(acts)) {
      for (const [when, later] of Object.entries(moments)) {
        alike(`emits the same to those who destroy ${what}, ${when}`, ({ req, res, parser, note, next }) => {
          noteEvents(req, note, events)
          parser(req, res, (error) => setImmediate(next, error)) // before 'close', or after it
          later(() => act(req))
        })
      }
    }
  })

  describe('a request over HTTP/2', () => {
    const length = { 'content-length': '14' }
    for (const [name, code] of Object.entries({ NO_ERROR, CANCEL })) {
      for (const sent of ['', 'amount=1']) {
        it(`is aborted by ${name} after ${sent || 'no byte'}, with a declared length or without`, async () => {
          const ours = await outcomeOf(subject, length, sent, code)
          assert.deepEqual(ours, ['request.aborted', undefined, true])
          assert.deepEqual(await outcomeOf(oracle, length, sent, code), ours)
          assert.deepEqual(await outcomeOf(subject, {}, sent, code), ours)
        })
      }
    }

    it('is whole if it ends, with a declared length or without', async () => {
      const ours = await outcomeOf(subject, length, 'amount=1000000')
      assert.deepEqual(ours, [undefined, { amount: '1000000' }, false])
      assert.deepEqual(await outcomeOf(oracle, length, 'amount=1000000'), ours)
      assert.deepEqual(await outcomeOf(subject, {}, 'amount=1000000'), ours)
    })
  })
})

/** The outcome of a form of which this is sent, and that is then reset, or ends. */
async function outcomeOf (bodyParser, fields, sent, code) {
  const server = http2.createServer()
  const outcome = new Promise((resolve) => {
    server.once('request', (req, res) => bodyParser.urlencoded()(req, res, (error) => {
      resolve([error?.type, req.body, req.aborted])
    }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = net.connect(server.address().port, '127.0.0.1')
  const headers = { ':method': 'POST', ':scheme': 'http', ':authority': 'test', ':path': '/', 'content-type': 'application/x-www-form-urlencoded', ...fields }
  client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  client.write(frameOf(SETTINGS, 0, 0, ''))
  client.write(frameOf(HEADERS, END_HEADERS, 1, literalsOf(headers)))
  if (sent !== '') client.write(frameOf(DATA, 0, 1, sent))
  client.write(frameOf(PING, 0, 0, 'answer.!'))
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    if (chunk.includes('answer.!')) break // all the above has been read
  }
  client.write(code === undefined ? frameOf(DATA, END_STREAM, 1, '') : frameOf(RST_STREAM, 0, 1, Buffer.of(0, 0, 0, code)))
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

/** RFC 7541, section 6.2.2: names and values as they are. */
function literalsOf (headers) {
  const texts = Object.entries(headers).map(([name, value]) => [0, name.length, name, value.length, value])
  return Buffer.concat(texts.flat().map((part) => typeof part === 'number' ? Buffer.of(part) : Buffer.from(part)))
}
