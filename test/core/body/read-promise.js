'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const subject = require('fast-body-parser')
const exchange = require('../../support/exchange')
const { lanesOf, messageOf } = require('../../support/lanes')
const { typedError } = require('../../support/outcome')

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Sends a message to a handler; gives what it returns or throws. */
async function handle (handler, message) {
  let outcome
  const { hangs } = await exchange(async (req, res, next) => {
    try {
      outcome = { value: await handler(req, res) }
    } catch (error) {
      outcome = { error }
    }
    next()
  }, message)
  assert.equal(hangs, undefined)
  return outcome
}

describe('read', () => {
  for (const [lane, message] of Object.entries(lanesOf({ headers: JSON_TYPE, body: '{"a":[1]}' }))) {
    it(`gives what the middleware puts into req.body, ${lane}`, async () => {
      let req
      const { value } = await handle((request, res) => {
        req = request
        return subject.json().read(request, res)
      }, message)
      assert.deepEqual([value, req.body], [{ a: [1] }, { a: [1] }])
    })
  }

  for (const [what, options, request] of [
    ['that is not JSON', {}, { body: '{' }],
    ['over the limit', { limit: 1 }, { body: '[1]' }],
    ['of an unknown coding', {}, { headers: { ...JSON_TYPE, 'Content-Encoding': 'x' }, body: '{}' }],
    ['that verify refuses', { verify () { throw new Error('no') } }, { body: '{}' }],
    ['that is cut off', {}, { body: '{', length: 9, cut: true }]
  ]) {
    it(`is rejected with the error of the middleware, for a body ${what}`, async () => {
      const message = messageOf({ headers: JSON_TYPE, ...request })
      const { error } = await exchange(subject.json(options), message)
      const outcome = await handle(subject.json(options).read, message)
      assert.deepEqual(typedError(outcome.error), error)
      assert.notEqual(error, 'none')
    })
  }

  it('gives undefined for a request that the middleware skips', async () => {
    for (const request of [{}, { headers: { 'Content-Type': 'text/plain' }, body: 'x' }]) {
      assert.deepEqual(await handle(subject.json().read, messageOf(request)), { value: undefined })
    }
  })

  it('gives the same body again', async () => {
    const { read } = subject.json()
    const { value } = await handle(async (req, res) => {
      const first = read(req, res)
      assert.equal(read(req, res), first)
      const [body, other] = await Promise.all([first, subject.json().read(req, res)])
      assert.equal(other, body)
      assert.equal(await subject.json().read(req, res), body)
      assert.equal(await subject.text().read(req, res), body)
      return body
    }, messageOf({
      headers: JSON_TYPE,
      body: '{"a":1}',
      chunked: true,
      pieces: [Buffer.from('{"a"'), Buffer.from(':1}')]
    }))
    assert.deepEqual(value, { a: 1 })
  })

  it('gives the same error again', async () => {
    const { read } = subject.json()
    await handle(async (req, res) => {
      const promises = [read(req, res), read(req, res), subject.json().read(req, res), subject.text().read(req, res)]
      const errors = (await Promise.allSettled(promises)).map(({ reason }) => reason)
      assert.equal(errors[0].type, 'entity.parse.failed')
      for (const error of errors) assert.equal(error, errors[0])
    }, messageOf({ headers: JSON_TYPE, body: '{' }))
  })

  for (const isPutBack of [false, true]) {
    const what = isPutBack ? ', and code has put back what it had read' : ''
    it(`is rejected with request.aborted if the client has left${what}`, async () => {
      const { error } = await handle(async (req, res) => {
        const closed = new Promise((resolve) => req.socket.once('close', resolve))
        if (isPutBack) {
          await once(req, 'readable')
          req.unshift(req.read())
        }
        await closed
        await turn()
        return subject.json().read(req, res)
      }, messageOf({ headers: JSON_TYPE, body: '{', length: 9, cut: true }))
      assert.deepEqual([error.status, error.type], [400, 'request.aborted'])
    })
  }

  it('gives what other code has left on a request whose client has left', async () => {
    for (const [body, readableDidRead] of [['text', false], [undefined, true]]) {
      const req = { aborted: true, body, complete: false, headers: {}, readableDidRead, socket: null }
      assert.equal(await subject.json().read(req, {}), body)
    }
  })

  it('is rejected without a request, and does not throw', async () => {
    for (const args of [[], [null], [{}]]) {
      await assert.rejects(subject.json().read(...args), {
        name: 'TypeError',
        message: /^read\(\) takes a request of Node.js/
      })
    }
  })

  it('is not enumerable, and can be replaced', () => {
    for (const parser of [subject.json(), subject.json({ buffered: true, cooperative: true, empty: {} })]) {
      assert.deepEqual(Object.keys(parser), [])
      assert.deepEqual([parser.name, parser.length, parser.read.length], ['jsonParser', 3, 2])
      const { writable, configurable } = Object.getOwnPropertyDescriptor(parser, 'read')
      assert.deepEqual([writable, configurable], [true, true])
    }
  })
})
