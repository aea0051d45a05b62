'use strict'

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const createFeed = require('../../lib/body/feed')
const { createExchange } = require('../support/create-exchange')

describe('feed', () => {
  for (const outcome of [null, new Error('enough')]) {
    it(`counts the time that the client waits up to ${outcome === null ? 'the end' : 'an error'} of its sink, and no longer`, async () => {
      const req = Object.assign(Readable.from([Buffer.from('a'), Buffer.from('b')]), { headers: {} })
      const exchange = createExchange(req)
      const sink = { isBlocked: true, heldBytes: 0, write () {}, end () {}, abort: (error, done) => done(error) }
      let feed
      const done = new Promise((resolve) => createFeed((exchange, source) => {
        feed = source
        return sink
      }, null)(exchange, resolve))
      while (exchange.waitsSince === null) await delay(1)
      await delay(5)
      feed.settled(outcome)
      assert.equal(await done, outcome)
      assert.equal(exchange.waitsSince, null)
      assert.ok(exchange.waited > 3, `${exchange.waited} ms`)
    })
  }
})
