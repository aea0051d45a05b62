'use strict'

// The context in which code of the app is called: that of AsyncLocalStorage and of
// async hooks. That of domains is among the observers of test/integration.

const assert = require('node:assert/strict')
const { createHook, executionAsyncId } = require('node:async_hooks')
const { createStorage } = require('../support/async-storage')
const { asChunk, LAST_CHUNK } = require('../../tools/http-message')
const exchange = require('../support/exchange')
const { alike, codedKinds, cutKinds, kinds } = require('../support/observation')
const subject = require('fast-body-parser')

const storage = createStorage()
const TYPE = 'Content-Type: application/json\r\n'
for (const [kind, request] of Object.entries({ ...kinds, ...codedKinds, ...cutKinds })) {
  describe(`the async context of next for ${kind}`, () => {
    alike('is that of the call, for AsyncLocalStorage', ({ req, res, parser, note, next }) => {
      storage.run('request', () => parser(req, res, (error) => {
        note(storage.getStore())
        next(error)
      }))
    }, request)

    alike('is that of each call, for AsyncLocalStorage and two parsers at once', ({ req, res, parser, note, next }) => {
      const seen = {} // zlib decides which is first
      for (const name of ['first', 'second']) {
        storage.run(name, () => parser(req, res, (error) => {
          seen[name] = [storage.getStore(), error?.type]
          if (Object.keys(seen).length < 2) return
          note(seen)
          next()
        }))
      }
    }, request)

    alike('is that of the call, for async hooks', ({ req, res, parser, note, next }) => {
      const chain = new Chain()
      chain.run('request', () => parser(req, res, (error) => {
        note(chain.current())
        chain.stop()
        next(error)
      }))
    }, request)
  })
}

describe('the store of AsyncLocalStorage', () => {
  it('is kept in verify and in a type function', async () => {
    const seen = []
    const look = () => seen.push(storage.getStore())
    const parser = subject.json({ type: look, verify: look })
    await exchange((req, res, next) => storage.run('store', () => parser(req, res, next)),
      message(TYPE, '{}', true, [Buffer.from('{}')]))
    assert.deepEqual(seen, ['store', 'store'])
  })

  it('is kept in next for an aborted request', async () => {
    for (const fields of [TYPE, `${TYPE}Content-Encoding: gzip\r\n`]) {
      const parser = subject.json()
      const seen = []
      await exchange((req, res, next) => storage.run('store', () => parser(req, res, (error) => {
        seen.push(storage.getStore(), error.type)
        next(error)
      })),
      {
        head: `POST / HTTP/1.1\r\nHost: test\r\n${fields}Content-Length: 90\r\n\r\n`,
        pieces: [Buffer.from('{"a"')],
        cut: true
      })
      assert.deepEqual(seen, ['store', 'request.aborted'])
    }
  })
})

function message (fields, body, chunked, pieces) {
  const length = body === undefined
    ? ''
    : chunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return {
    head: `POST / HTTP/1.1\r\nHost: test\r\n${fields}${length}\r\n`,
    pieces: chunked ? [Buffer.alloc(0), ...pieces.map(asChunk), LAST_CHUNK] : pieces
  }
}

/** Passes a value from each asynchronous resource to those created in it, as cls-hooked does. */
class Chain {
  values = new Map()
  hook = createHook({
    init: (id, type, trigger) => {
      const value = this.values.get(executionAsyncId()) ?? this.values.get(trigger)
      if (value !== undefined) this.values.set(id, value)
    }
  })

  run (value, act) {
    this.hook.enable()
    const id = executionAsyncId()
    const before = this.values.get(id)
    this.values.set(id, value)
    try {
      act()
    } finally {
      this.values.set(id, before)
    }
  }

  current () {
    return this.values.get(executionAsyncId())
  }

  stop () {
    this.hook.disable()
  }
}
