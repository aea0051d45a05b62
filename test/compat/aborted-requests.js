'use strict'

// Requests that end before their body does: the client closes the connection,
// or resets the stream.

const assert = require('node:assert/strict')
const http2 = require('node:http2')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { messageOf } = require('../../tools/http-message')
const HANG_TIME = require('../support/hang-time')
const serving = require('../support/serving')
const { connect } = require('../support/shared-server')
const { table } = require('../support/table')

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

  for (const [what, headers] of Object.entries({ 'a declared length': { 'content-length': '14' }, 'no length': {} })) {
    it(`are reported if the connection of a request of HTTP/2 with ${what} breaks`, async () => {
      const server = http2.createServer()
      const outcome = new Promise((resolve) => {
        server.once('request', (req, res) => {
          subject.urlencoded()(req, res, (error) => resolve([error?.type, req.body, req.aborted]))
          req.once('data', () => client.destroy()) // `close` of a stream would end it first
        })
      })
      let client
      await serving(server, async (port) => {
        client = http2.connect(`http://127.0.0.1:${port}`)
        const type = 'application/x-www-form-urlencoded'
        client.request({ ':method': 'POST', 'content-type': type, ...headers }).on('error', () => {}).write('amount=1')
        assert.deepEqual(await outcome, ['request.aborted', undefined, true])
      })
    })
  }

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
