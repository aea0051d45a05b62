'use strict'

// Requests that the app destroys, while they are read or while they are parsed.

const assert = require('node:assert/strict')
const http = require('node:http')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const abort = require('../support/abort')
const { alike, EVENTS, FLOW, moments, noteEvents } = require('../support/observation')
const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const events = EVENTS.filter((name) => !FLOW.includes(name))

describe('destroyed requests', () => {
  describe('a request that user code destroys', () => {
    const destroyers = {
      'right after the parser': (req) => req.destroy(),
      'right after the parser, with an error': (req) => req.destroy(new Error('gone')),
      'in the next tick': (req) => process.nextTick(() => req.destroy()),
      'in the next tick, with an error': (req) => process.nextTick(() => req.destroy(new Error('gone'))),
      'later on': (req) => setTimeout(() => req.destroy(), 10),
      'later on, with an error': (req) => setTimeout(() => req.destroy(new Error('gone')), 10)
    }
    for (const [when, destroy] of Object.entries(destroyers)) {
      for (const length of [2, 20]) {
        it(`${when}, ${length === 2 ? 'the body being whole' : 'amid the body'}`, async () => {
          const results = []
          let socket
          await new Promise((resolve) => {
            const server = http.createServer((req, res) => {
              subject.json()(req, res, (error) => {
                results.push(error?.type ?? typeof req.body)
                server.close()
                setTimeout(resolve, 20)
              })
              destroy(req)
            })
            server.listen(0, '127.0.0.1', () => {
              socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
              socket.write(`POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{}`)
            })
            setTimeout(resolve, 1500).unref()
          })
          socket.destroy()
          assert.equal(results.length, 1)
          assert.ok(['request.aborted', 'object'].includes(results[0]), results[0])
        })
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

  describe('a request that user code destroys while it is parsed', () => {
    const destroy = (req) => { req.destroy() }
    const stages = {
      'in verify': [(bodyParser) => bodyParser.json({ verify: destroy }), { body: { a: 1 } }],
      'in a verify that throws': [(bodyParser) => bodyParser.json({
        verify (req) {
          req.destroy()
          throw new Error('no')
        }
      }), { error: { status: 403 } }],
      'in the reviver': [(bodyParser) => (req, res, next) => bodyParser.json({
        reviver (key, value) {
          req.destroy()
          return value
        }
      })(req, res, next), { body: { a: 1 } }],
      'in next': [(bodyParser) => (req, res, next) => bodyParser.json()(req, res, (error) => {
        req.destroy()
        next(error)
      }), { body: { a: 1 } }],
      'in next, with an error': [(bodyParser) => (req, res, next) => bodyParser.json({ limit: 6 })(req, res, (error) => {
        req.destroy()
        next(error)
      }), { error: { status: 413 } }]
    }
    for (const [when, [make, expect]] of Object.entries(stages)) {
      const row = { make, headers: JSON_TYPE, body: '{"a":1}', expect, ignore: ['reusable', 'listeners', 'complete', 'ended', 'error'] }
      const coded = { ...row, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}') }
      table([
        { it: when, ...row },
        { it: `${when}, in chunks`, ...row, chunked: true },
        { it: `${when}, the body being coded`, ...coded },
        { it: `${when}, the body being coded and in chunks`, ...coded, chunked: true }
      ])
    }

    // body-parser never calls next if the body is coded
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }]) {
      it(`in type${headers === JSON_TYPE ? '' : ', the body being coded'}`, async () => {
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

    it('before a promise of verify is fulfilled', async () => {
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
        assert.deepEqual([calls, error?.type], [1, fulfil ? undefined : 'entity.verify.failed'])
      }
    })
  })
})
