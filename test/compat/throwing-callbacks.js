'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { table } = require('../support/table')
const { noteUncaught } = require('../support/uncaught')

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('errors that code of the app throws', () => {
  const fail = () => { throw new Error('from user code') }
  const body = '{"a":1}'
  table([
    { it: 'in a type function have the same outcome as with body-parser',
      parser: 'json',
      options: {
        type: fail
      },
      headers: JSON_TYPE,
      body },
    { it: 'in a type function do not occur without a body',
      parser: 'json',
      options: {
        type: fail
      },
      expect: { body: undefined } },
    { it: 'in verify are passed to next with 403',
      parser: 'json',
      options: {
        verify: fail
      },
      headers: JSON_TYPE,
      body,
      expect: { error: { status: 403, message: 'from user code' } } },
    { it: 'in verify are passed to next with 403, with a coded body',
      parser: 'json',
      options: {
        verify: fail
      },
      headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
      body: zlib.gzipSync(body),
      expect: { error: { status: 403 } } },
    { it: 'in the reviver are passed to next with 400',
      parser: 'json',
      options: {
        reviver: fail
      },
      headers: JSON_TYPE,
      body,
      expect: { error: { status: 400, message: 'from user code' } } }
  ])

  /** Answers each request by throwing in `next`; gives what was thrown. */
  async function thrownBy (bodyParser, options, { headers, body, chunked }) {
    const thrown = []
    const parser = bodyParser.json(options)
    const server = http.createServer((req, res) => {
      let calls = 0
      try {
        parser(req, res, (error) => {
          res.end()
          throw new Error(`from next ${++calls}, ${error?.type ?? JSON.stringify(req.body)}`)
        })
      } catch (error) {
        thrown.push(`at once: ${error.message}`)
      }
    })
    await noteUncaught((error) => thrown.push(error.message), async () => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      await Promise.all(Array.from({ length: 5 }, async (_, index) => {
        const req = http.request({
          port: server.address().port,
          host: '127.0.0.1',
          method: 'POST',
          headers: { ...headers, ...(chunked ? {} : { 'Content-Length': body.length }) }
        })
        const responded = once(req, 'response')
        req.flushHeaders()
        if (index > 2) await delay(5)
        req.end(body)
        const [res] = await responded
        await res.toArray()
      }))
      await delay(10)
      server.close()
      server.closeAllConnections()
    })
    return thrown
  }

  const gzip = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
  const cases = {
    'a body': [{}, { headers: JSON_TYPE, body }],
    'a body in chunks': [{}, { headers: JSON_TYPE, body, chunked: true }],
    'a body of another type': [{}, { headers: {}, body }],
    'a coded body': [{}, { headers: gzip, body: zlib.gzipSync(body) }],
    'a coded body in chunks': [{}, { headers: gzip, body: zlib.gzipSync(body), chunked: true }],
    'an error of JSON': [{}, { headers: JSON_TYPE, body: '{' }],
    'an error of verify': [{ verify: fail }, { headers: JSON_TYPE, body }],
    'a body over the limit': [{ limit: 1 }, { headers: JSON_TYPE, body }],
    'a body over the limit in chunks': [{ limit: 1 }, { headers: JSON_TYPE, body, chunked: true }],
    'a coded body over the limit': [{ limit: 1 }, { headers: gzip, body: zlib.gzipSync(body) }],
    'a corrupt coded body': [{}, { headers: gzip, body: 'junk' }],
    'a refused coding': [{}, { headers: { ...JSON_TYPE, 'Content-Encoding': 'x' }, body }]
  }
  for (const [what, [options, message]] of Object.entries(cases)) {
    it(`in next are uncaught exceptions, as with body-parser, after ${what}`, async () => {
      const ours = await thrownBy(subject, options, message)
      assert.equal(ours.length, 5)
      for (const text of ours) assert.match(text, /^(at once: )?from next 1, /)
      assert.deepEqual(ours, await thrownBy(require('body-parser'), options, message))
    })
  }
})
