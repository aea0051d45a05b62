'use strict'

// The context in which code of the app is called: that of AsyncLocalStorage. That of async hooks, by a domain, is among
// the observers of test/integration.

const assert = require('node:assert/strict')
const { createStorage } = require('../support/async-storage')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const { alike, codedKinds, cutKinds, kinds } = require('../support/observation')
const subject = require('fast-body-parser')

const storage = createStorage()
const JSON_TYPE = { 'Content-Type': 'application/json' }

for (const [kind, request] of Object.entries({ ...kinds, ...codedKinds, ...cutKinds })) {
  alike(`the async context of next is that of each call, for two parsers at once: ${kind}`,
    ({ req, res, parser, note, next }) => {
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
}

describe('the store of AsyncLocalStorage', () => {
  it('is kept in verify and in a type function', async () => {
    const seen = []
    const look = () => seen.push(storage.getStore())
    const parser = subject.json({ type: look, verify: look })
    await exchange((req, res, next) => storage.run('store', () => parser(req, res, next)),
      messageOf({ headers: JSON_TYPE, body: '{}', chunked: true }))
    assert.deepEqual(seen, ['store', 'store'])
  })

  it('is kept in next if a client leaves amid a coded body, where body-parser never calls it', async () => {
    const parser = subject.json()
    const seen = []
    await exchange((req, res, next) => storage.run('store', () => parser(req, res, (error) => {
      seen.push(storage.getStore(), error.type)
      next(error)
    })), messageOf({ headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, length: 90, body: '{"a"', cut: true }))
    assert.deepEqual(seen, ['store', 'request.aborted'])
  })
})
