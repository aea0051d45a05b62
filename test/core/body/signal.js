'use strict'

const assert = require('node:assert/strict')
const { constants: { NGHTTP2_CANCEL } } = require('node:http2')
const { createBudget, json, urlencoded } = require('fast-body-parser')
const { messageOf } = require('../../../tools/http-message')
const { createStorage } = require('../../support/async-storage')
const exchange = require('../../support/exchange')
const { connect } = require('../../support/shared-server')
const schemaOf = require('../../support/schema-of')
const until = require('../../support/until')
const uploadHttp2 = require('../../support/upload-http2')

const JSON_BODY = ['application/json', '{"a":1}']
const FORM_BODY = ['application/x-www-form-urlencoded', 'a=1']
const forever = () => new Promise(() => {})

/** A parser whose function of the app's promises what is never settled, and tells its signal; and a body. */
const PARSERS = {
  parse: [(tell, options) => json({ ...options, parse: (text, { signal }) => tell(signal) }), JSON_BODY],
  verify: [
    (tell, options) => json({ ...options, verify: (req, res, bytes, charset, { signal }) => tell(signal) }), JSON_BODY
  ],
  schema: [(tell, options) => json({ ...options, schema: schemaOf(() => tell(undefined)) }), JSON_BODY],
  'schema, for a body that another parser has read': [(tell, options) => {
    const [first, second] = [urlencoded(), json({ ...options, schema: schemaOf(() => tell(undefined)) })]
    return (req, res, next) => first(req, res, () => second(req, res, next))
  }, FORM_BODY]
}

describe('a promise of the app that is never settled', () => {
  const storage = createStorage()
  let signals
  let contexts // of listeners of the signals
  let calls

  beforeEach(() => {
    signals = []
    contexts = []
    calls = []
  })

  const tell = (signal) => {
    signals.push(signal)
    signal?.addEventListener('abort', () => contexts.push(storage.getStore()))
    return forever()
  }

  const inContext = (parser) => (req, res, next) => storage.run('context', () => parser(req, res, (error) => {
    calls.push([error?.type, storage.getStore()])
    next(error)
  }))

  for (const [what, [create, [type, body]]] of Object.entries(PARSERS)) {
    const message = messageOf({ headers: { 'Content-Type': type }, body })

    /** Whether it has ended so, once `act` has. */
    async function ends (expected, options, act) {
      const budget = createBudget({ bytes: 1000 })
      await act(inContext(create(tell, { budget, ...options })))
      assert.deepEqual([calls, budget.used, budget.holding.size], [[[expected, 'context']], 0, 0])
      for (const signal of signals) {
        if (signal !== undefined) assert.deepEqual([signal.aborted, signal.reason.type], [true, expected])
      }
      assert.equal(signals.length, 1)
      assert.deepEqual(contexts, signals[0] === undefined ? [] : ['context'])
    }

    it(`of ${what} ends with the deadline`, () =>
      ends('request.timeout', { timeout: 50 }, (parser) => exchange(parser, message)))

    it(`of ${what} ends when the client leaves`, () => ends('request.aborted', {}, async (parser) => {
      const talk = await connect((req, res) => parser(req, res, () => {}))
      await talk.send(message)
      await until(() => signals.length === 1)
      talk.close()
      await until(() => calls.length > 0)
    }))

    it(`of ${what} ends when the client resets its stream of HTTP/2`, () => ends('request.aborted', {}, (parser) => {
      const send = (stream) => {
        stream.end(body)
        until(() => signals.length === 1).then(() => stream.close(NGHTTP2_CANCEL))
      }
      return uploadHttp2(parser, null, { headers: { 'content-type': type }, send })
    }))
  }

  it('does not give verify a fifth argument that it does not declare, as mocks may count them', async () => {
    const given = []
    const parser = json({ verify: (...args) => { given.push(args.length) } })
    await exchange(parser, messageOf({ headers: { 'Content-Type': 'application/json' }, body: '{}' }))
    assert.deepEqual(given, [4])
  })
})
