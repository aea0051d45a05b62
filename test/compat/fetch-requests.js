'use strict'

// A Request of the Fetch standard in the place of a request of Node's. Its header looks empty there, as of a request
// without a body.

const assert = require('node:assert/strict')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const trace = require('node:diagnostics_channel').tracingChannel('fast-body-parser')
const { tracing } = require('../support/where')
const schemaOf = require('../support/schema-of')

const schema = schemaOf((value) => ({ value }))
const FORM_DATA = "use multipart() of 'fast-body-parser/web' instead"
const CUSTOM = "use text() or raw() of 'fast-body-parser/web', and parse what it gives"
const web = (name) => `use ${name}() of 'fast-body-parser/web' instead`

/** @type {Record<string, [middleware: Function, alternative: string]>} */
const PARSERS = {
  json: [subject.json(), web('json')],
  raw: [subject.raw({ type: () => true }), web('raw')],
  ndjson: [subject.ndjson(), web('ndjson')],
  createParser: [subject.createParser({ type: 'a/b', parse: (text) => text }), CUSTOM],
  multipart: [subject.multipart(), FORM_DATA],
  multer: [multer().any(), FORM_DATA],
  'multer with a streamHandler': [multer({ streamHandler () {} }).any(), FORM_DATA],
  'json with buffered': [subject.json({ buffered: true }), web('json')],
  'json with a schema': [subject.json({ schema }), web('json')],
  'cooperative json': [subject.json({ cooperative: true }), web('json')]
}

const GOT = 'the parser got a Fetch Request, but takes a request of Node.js (http.IncomingMessage): '
const ofMessage = (message) => ({ name: 'TypeError', message })

const JSON_REQUEST = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }
const createRequest = (init = JSON_REQUEST) => new Request('http://localhost/', init)

/** @returns {unknown[][]} the arguments of each call of `next` */
async function callsOf (middleware, req) {
  const calls = []
  await new Promise((resolve) => {
    middleware(req, {}, (...args) => {
      calls.push(args)
      resolve()
    })
  })
  await new Promise(setImmediate)
  return calls
}

async function readAll (loop) {
  const items = []
  for await (const item of loop) items.push(item)
  return items
}

describe('a Fetch Request in the place of a request of Node.js', () => {
  for (const [name, [middleware, alternative]] of Object.entries(PARSERS)) {
    it(`is a TypeError that says what takes it: ${name}`, async () => {
      for (const init of [JSON_REQUEST, {}]) {
        const req = createRequest(init)
        const calls = await callsOf(middleware, req)
        assert.deepEqual([calls.length, calls[0].length], [1, 1])
        assert.throws(() => { throw calls[0][0] }, ofMessage(GOT + alternative))
        assert.equal(req.bodyUsed, false) // so that the alternative can read it
        await assert.rejects(middleware.read(req, {}), ofMessage(GOT + alternative))
      }
    })
  }

  it('is a TypeError in a loop over its parts', () =>
    assert.rejects(readAll(subject.multipart().parts(createRequest(), {})), ofMessage(GOT + FORM_DATA)))

  tracing.it('is reported once to subscribers of the tracing channel', async () => {
    for (const [name, [middleware]] of Object.entries(PARSERS)) {
      const errors = []
      const note = ({ error }) => errors.push(error)
      trace.error.subscribe(note)
      const [[error]] = await callsOf(middleware, createRequest())
      trace.error.unsubscribe(note)
      assert.deepEqual(errors, [error], name)
    }
  })

  it('is told from requests of adapters, which have a function of that name as well', async () => {
    const get = () => undefined
    const shapes = [
      { headers: { get } }, // an object that is not a stream
      { arrayBuffer () {}, headers: { get: 'a header' } },
      { arrayBuffer () {}, headers: { get }, on () {} }
    ]
    for (const shape of shapes) assert.deepEqual(await callsOf(subject.json(), shape), [[]])
  })
})

describe('what is not a request', () => {
  it('is a TypeError of parts() and read() that says what was found, and what takes a Fetch Request', async () => {
    for (const [value, found] of [
      [undefined, 'is undefined'], // c.env.incoming of Hono on Bun and Deno
      [null, 'is null'],
      ['url', 'has no headers (it is of type string)']
    ]) {
      const says = (method, alternative) =>
        ofMessage(`${method} takes a request of Node.js (http.IncomingMessage) and its response, but the request ` +
          `${found}. With a Fetch Request, such as c.req.raw of Hono, ${alternative}`)
      await assert.rejects(readAll(subject.multipart().parts(value, {})), says('parts()', FORM_DATA))
      await assert.rejects(subject.json().read(value, {}), says('read()', web('json')))
    }
  })
})
