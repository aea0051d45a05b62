'use strict'

// Differences from body-parser that are intended; the README lists them.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http2 = require('node:http2')
const { setTimeout: delay } = require('node:timers/promises')
const exchange = require('../support/exchange')
const { typed } = require('../support/outcome')
const { nextUncaught } = require('../support/uncaught')
const subject = require('fast-body-parser')

const HEAD = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n'
const whole = { head: HEAD, pieces: [Buffer.from('{"a":1}')] }
const split = { head: HEAD, pieces: [Buffer.from('{"a'), Buffer.from('":1}')] }

describe('differences from body-parser', () => {
  describe('a promise that verify returns', () => {
    for (const message of [whole, split]) {
      it('is awaited', async () => {
        const order = []
        const verify = async () => {
          await delay(5)
          order.push('verified')
        }
        const seen = await exchange((req, res, next) => subject.json({ verify })(req, res, (error) => {
          order.push('next')
          next(error)
        }), message)
        assert.deepEqual(order, ['verified', 'next'])
        assert.deepEqual(seen.body, typed({ a: 1 }))
        assert.equal(seen.next, 1)
      })

      it('may be rejected, which has the outcome of a throw', async () => {
        for (const reason of [Object.assign(new Error('no'), { status: 401, type: 'own' }), new Error('no'), 'no',
          undefined]) {
          const late = await exchange(subject.json({ verify: async () => { throw reason } }), message)
          const atOnce = await exchange(subject.json({ verify () { throw reason } }), message)
          assert.deepEqual(late.error, atOnce.error)
          assert.equal(late.next, 1)
        }
      })
    }

    it('may be any object with a method then', async () => {
      const verify = () => ({ then: (resolve) => setTimeout(resolve, 5) })
      assert.deepEqual((await exchange(subject.json({ verify }), whole)).body, typed({ a: 1 }))
    })

    it('may be one that settles twice', async () => {
      const verify = () => ({ then (resolve, reject) { resolve(); resolve(); reject(new Error('no')) } })
      const seen = await exchange(subject.json({ verify }), whole)
      assert.equal(seen.next, 1)
      assert.equal(seen.error, 'none')
    })

    it('may be one whose then throws', async () => {
      const verify = () => ({ then () { throw new Error('no') } })
      const seen = await exchange(subject.json({ verify }), whole)
      assert.equal(seen.error.status, 403)
      assert.equal(seen.next, 1)
    })

    it('does not catch what next throws', async () => {
      const thrown = nextUncaught()
      await exchange((req, res, next) => subject.json({ verify: async () => {} })(req, res, () => {
        next()
        throw new Error('from next')
      }), whole)
      assert.equal((await thrown).message, 'from next')
    })

    it('must have a method then', async () => {
      for (const value of [null, undefined, 0, 'then', {}, { then: 1 }]) {
        assert.deepEqual((await exchange(subject.json({ verify: () => value }), whole)).body, typed({ a: 1 }))
      }
    })
  })

  describe('a value that verify throws', () => {
    const things = [null, undefined, 5, true, Symbol('s'), () => {}, 5n, Object.freeze(new Error('no')),
      Object.freeze({ type: 'own' })]
    for (const thing of things) {
      it(`may be ${typeof thing} ${String(thing)}`, async () => {
        const seen = await exchange(subject.json({ verify () { throw thing } }), whole)
        assert.equal(seen.next, 1)
        assert.equal(seen.error.status, 403)
        assert.equal(seen.error.constructor, 'ForbiddenError')
        assert.equal(seen.error.type, thing?.type ?? 'entity.verify.failed')
        assert.deepEqual(seen.error.own.body.value, typed(Buffer.from('{"a":1}')))
      })
    }
  })

  it("parameterLimit may be the string 'Infinity'", async () => {
    const body = Array.from({ length: 3000 }, (_, i) => `a[${i}]=1`).join('&')
    const head = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`
    let count
    await exchange((req, res,
      next) => subject.urlencoded({ parameterLimit: 'Infinity', extended: true })(req, res, (error) => {
      count = req.body.a.length
      next(error)
    }), { head, pieces: [Buffer.from(body)] })
    assert.equal(count, 3000)
  })

  describe('over HTTP/2', () => {
    let server
    let client

    before(async () => {
      const parser = subject.json()
      server = http2.createServer((req, res) => parser(req, res, (error) => {
        res.end(JSON.stringify({ error: error?.type, body: req.body, has: 'body' in req }))
      }))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      client = http2.connect(`http://127.0.0.1:${server.address().port}`)
    })

    after(() => {
      client.close()
      server.close()
    })

    async function send (headers, pieces) {
      const stream = client.request({ ':method': 'POST', 'content-type': 'application/json', ...headers },
        { endStream: pieces === undefined })
      for (const piece of pieces ?? []) {
        stream.write(piece)
        await delay(5)
      }
      if (pieces !== undefined) stream.end()
      return JSON.parse(String(await stream.toArray()))
    }

    it('a body needs no content-length', async () => {
      assert.deepEqual(await send({}, ['{"a":1}']), { body: { a: 1 }, has: true })
      assert.deepEqual(await send({}, ['{"a"', ':', '1}']), { body: { a: 1 }, has: true })
      assert.deepEqual(await send({}, ['{"a"']), { error: 'entity.parse.failed', has: true })
      assert.deepEqual(await send({}, ['x'.repeat(200_000)]), { error: 'entity.too.large', has: true })
    })

    it('a body may have a content-length', async () => {
      assert.deepEqual(await send({ 'content-length': 7 }, ['{"a":1}']), { body: { a: 1 }, has: true })
      assert.deepEqual(await send({ 'content-length': 7 }, ['{"a"', ':1}']), { body: { a: 1 }, has: true })
    })

    it('a request may have no body', async () => {
      assert.deepEqual(await send({}, undefined), { has: true })
      assert.deepEqual(await send({ ':method': 'GET' }, undefined), { has: true })
    })
  })
})
