'use strict'

// Requests that the app destroys, while they are read or while they are parsed.

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const abort = require('../support/abort')
const { alike, EVENTS, moments, noteEvents } = require('../support/observation')
const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('destroyed requests', () => {
  describe('emit the same events as with body-parser', () => {
    const acts = {
      'the request': (req) => req.destroy(),
      'the request (with an error)': (req) => req.destroy(new Error('own')),
      'its connection': (req) => req.socket.destroy()
    }
    for (const [what, act] of Object.entries(acts)) {
      for (const [when, later] of Object.entries(moments)) {
        alike(`if ${what} is destroyed ${when}`, ({ req, res, parser, note, next }) => {
          noteEvents(req, note, EVENTS)
          parser(req, res, (error) => setImmediate(next, error)) // before 'close', or after it
          later(() => act(req))
        })
      }
    }
  })

  describe('are parsed like with body-parser', () => {
    const destroy = (req) => { req.destroy() }
    const stages = {
      'if verify destroys them': [(bodyParser) => bodyParser.json({ verify: destroy }), { body: { a: 1 } }],
      'if verify destroys them and throws': [(bodyParser) => bodyParser.json({
        verify (req) {
          req.destroy()
          throw new Error('no')
        }
      }), { error: { status: 403 } }],
      'if the reviver destroys them': [(bodyParser) => (req, res, next) => bodyParser.json({
        reviver (key, value) {
          req.destroy()
          return value
        }
      })(req, res, next), { body: { a: 1 } }],
      'if next destroys them': [(bodyParser) => (req, res, next) => bodyParser.json()(req, res, (error) => {
        req.destroy()
        next(error)
      }), { body: { a: 1 } }],
      'if next destroys them after an error': [(bodyParser) => (req, res,
        next) => bodyParser.json({ limit: 6 })(req, res, (error) => {
        req.destroy()
        next(error)
      }), { error: { status: 413 } }]
    }
    for (const [when, [make, expect]] of Object.entries(stages)) {
      const row = {
        make,
        headers: JSON_TYPE,
        body: '{"a":1}',
        expect,
        ignore: ['reusable', 'listeners', 'complete', 'ended', 'error']
      }
      const coded = { ...row, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}') }
      table([
        { it: when, ...row },
        { it: `${when}, in chunks`, ...row, chunked: true },
        { it: `${when}, with a coded body`, ...coded },
        { it: `${when}, with a coded body in chunks`, ...coded, chunked: true }
      ])
    }

    // body-parser never calls next if the body is coded
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }]) {
      it(`call next once if the type function destroys them${headers === JSON_TYPE
        ? ''
        : ', with a coded body'}`, async () => {
        for (const verdict of [true, false]) {
          const parser = subject.json({
            type (req) {
              req.destroy()
              return verdict
            }
          })
          const { error, calls } = await abort(parser, { ...headers, 'Content-Length': 7 }, Buffer.from('{"a":1}'))
          assert.deepEqual([calls, error?.type], [1, verdict ? 'stream.not.readable' : undefined])
        }
      })
    }

    it('call next once if they are destroyed before the promise of verify settles', async () => {
      for (const fulfil of [true, false]) {
        const parser = subject.json({
          async verify (req) {
            await delay(2)
            req.destroy()
            await delay(2)
            if (!fulfil) throw new Error('no')
          }
        })
        const { error, calls } = await abort(parser, { ...JSON_TYPE, 'Content-Length': 7 }, Buffer.from('{"a":1}'))
        assert.deepEqual([calls, error?.type], [1, 'request.aborted'])
      }
    })
  })
})
