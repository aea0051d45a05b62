'use strict'

// A Request of the Fetch standard in the place of a request of Node's. Its header looks empty there, as of a request
// without a body.

const assert = require('node:assert/strict')
const theirs = require('body-parser')
const theirMulter = require('multer')
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
  text: [subject.text(), web('text')],
  urlencoded: [subject.urlencoded(), web('urlencoded')],
  ndjson: [subject.ndjson(), web('ndjson')],
  createParser: [subject.createParser({ type: 'a/b', parse: (text) => text }), CUSTOM],
  multipart: [subject.multipart(), FORM_DATA],
  multer: [multer().any(), FORM_DATA],
  'multer with a streamHandler': [multer({ streamHandler () {} }).any(), FORM_DATA],
  'multer with buffered': [multer({ buffered: true }).any(), FORM_DATA],
  'json with buffered': [subject.json({ buffered: true }), web('json')],
  'json with a budget': [subject.json({ budget: subject.createBudget({ bytes: '1mb' }) }), web('json')],
  'json with a schema': [subject.json({ schema }), web('json')],
  'json with empty': [subject.json({ empty: {} }), web('json')],
  'cooperative json': [subject.json({ cooperative: true }), web('json')]
}

const GOT = 'the parser got a Fetch Request, but takes a request of Node.js (http.IncomingMessage): '
const ofMessage = (message) => ({ name: 'TypeError', message })

function createForm () {
  const form = new FormData()
  form.set('a', '1')
  return form
}

/** Each with content of every kind, and without any. */
const REQUESTS = {
  JSON: { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json', 'content-length': '7' } },
  'a form': { method: 'POST', body: createForm() },
  bytes: { method: 'PUT', body: Buffer.from('bytes') },
  nothing: {}
}
const createRequest = (what) => new Request('http://localhost/', REQUESTS[what])

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
      for (const what of Object.keys(REQUESTS)) {
        const req = createRequest(what)
        const calls = await callsOf(middleware, req)
        assert.deepEqual([calls.length, calls[0].length], [1, 1], what)
        assert.throws(() => { throw calls[0][0] }, ofMessage(GOT + alternative), what)
        assert.equal(req.bodyUsed, false, what) // so that the alternative can read it
        await assert.rejects(middleware.read(createRequest(what), {}), ofMessage(GOT + alternative), what)
      }
    })
  }

  it('is passed on without a body by body-parser, and without fields by multer', async () => {
    for (const middleware of [theirs.json(), theirs.raw(), theirs.text(), theirs.urlencoded(), theirMulter().any()]) {
      const calls = await callsOf(middleware, createRequest('JSON'))
      assert.deepEqual(calls.map(([error]) => error), [undefined])
    }
  })

  it('is a TypeError in a loop over its parts', async () => {
    for (const what of Object.keys(REQUESTS)) {
      await assert.rejects(readAll(subject.multipart().parts(createRequest(what), {})), ofMessage(GOT + FORM_DATA),
        what)
    }
  })

  tracing.it('is reported once to subscribers of the tracing channel', async () => {
    for (const [name, [middleware]] of Object.entries(PARSERS)) {
      const errors = []
      const note = ({ error }) => errors.push(error)
      trace.error.subscribe(note)
      const [[error]] = await callsOf(middleware, createRequest('JSON'))
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
  const MISTAKES = [
    [undefined, 'is undefined'], // c.env.incoming of Hono on Bun and Deno
    [null, 'is null'],
    [{}, 'has no headers (it is of type object)'],
    ['url', 'has no headers (it is of type string)']
  ]

  it('is a TypeError of parts() and read() that says what was found, and what takes a Fetch Request', async () => {
    for (const [value, found] of MISTAKES) {
      const says =
        (method, alternative) => ofMessage(`${method} takes a request of Node.js (http.IncomingMessage) and its ` +
        `response, but the request ${found}. With a Fetch Request, such as c.req.raw of Hono, ${alternative}`)
      await assert.rejects(readAll(subject.multipart().parts(value, {})), says('parts()', FORM_DATA))
      for (const [middleware, alternative] of Object.values(PARSERS)) {
        await assert.rejects(middleware.read(value, {}), says('read()', alternative))
      }
    }
  })
})
