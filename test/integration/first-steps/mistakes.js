'use strict'

// What a newcomer gets wrong, and what he is told: body-parser's words where it
// has any, and something to go by where it is silent.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const express = require('express')
const oracle = require('body-parser')
const subject = require('../../..')
const { ROOT, run } = require('../support/project')

const SPLIT = /The bodyParser\(\) generic has been split into individual middleware to use instead/

/** Mistakes that both find when the app is made. */
const atOnce = {
  'bodyParser()': [(bodyParser) => bodyParser(), SPLIT],
  'new bodyParser()': [(BodyParser) => new BodyParser(), SPLIT],
  'app.use(bodyParser())': [(bodyParser) => express().use(bodyParser()), SPLIT],
  'a limit that is not a number': [(bodyParser) => bodyParser.json({ limit: 'ten' }), /option limit "ten" is invalid/],
  'a verify that is not a function': [
    (bodyParser) => bodyParser.json({ verify: true }), /option verify must be function/
  ],
  'a verify that was called': [
    (bodyParser) => bodyParser.json({ verify: 'no'.toUpperCase() }), /option verify must be function/
  ],
  'a charset that forms have not': [
    (bodyParser) => bodyParser.urlencoded({ defaultCharset: 'latin1' }),
    /option defaultCharset must be either utf-8 or iso-8859-1/
  ],
  'a depth that is not a number': [
    (bodyParser) => bodyParser.urlencoded({ extended: true, depth: 'deep' }),
    /option depth must be a zero or a positive number/
  ],
  'a parser that there is not': [(bodyParser) => bodyParser.xml(), /bodyParser\.xml is not a function/]
}

/** Mistakes that show with a request: the app, the request, the answer. */
const withRequest = {
  'a string as JSON, which is strict': {
    app: (bodyParser) => express().use(bodyParser.json()),
    body: '"text"',
    answer: [400, /SyntaxError: Unexpected token (&#39;|')?(&quot;|")/]
  },
  'no error handler': {
    app: (bodyParser) => express().use(bodyParser.json()),
    body: '{',
    answer: [400, /SyntaxError: /]
  },
  'app.use(bodyParser), none of its parsers': {
    app: (bodyParser) => express().use(bodyParser),
    body: '{}',
    answer: [500, SPLIT]
  },
  'no parser at all for the type': {
    app: (bodyParser) => express().use(bodyParser.json()).use((req, res) => res.json({ body: typeof req.body })),
    type: 'application/vnd.api+json',
    body: '{}',
    answer: [200, /undefined/]
  },
  'two parsers of the same type': {
    app: (bodyParser) => express().use(bodyParser.json(), bodyParser.json()).use((req, res) => res.json(req.body)),
    body: '{"a":1}',
    answer: [200, /^{"a":1}$/]
  }
}

async function ask (app, { type = 'application/json', body }) {
  app.set('env', 'test') // Express tells errors in the answer, and not on the console
  const server = http.createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const response = await fetch(`http://127.0.0.1:${server.address().port}/`, {
      method: 'POST', headers: { 'content-type': type }, body, signal: AbortSignal.timeout(5000)
    })
    return { status: response.status, text: await response.text() }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('mistakes', () => {
  for (const [what, [make, message]] of Object.entries(atOnce)) {
    it(`${what}: said when the app is made`, () => {
      assert.throws(() => make(subject), { message })
      assert.throws(() => make(oracle), { message })
    })
  }

  for (const [what, { app, answer: [status, pattern], ...request }] of Object.entries(withRequest)) {
    it(`${what}: said with the first request`, async () => {
      const [ours, theirs] = [await ask(app(subject), request), await ask(app(oracle), request)]
      assert.equal(ours.status, status)
      assert.match(ours.text, pattern)
      const title = (text) => text.replace(/<br>[^]*/, '') // what follows are frames
      assert.deepEqual([theirs.status, title(theirs.text)], [ours.status, title(ours.text)])
    })
  }

  // body-parser leaves the request without an answer.
  for (const name of ['json', 'raw', 'text', 'urlencoded', 'createParser', 'multipart']) {
    it(`app.use(bodyParser.${name}), which is not called: said with the first request`, async () => {
      const { status, text } = await ask(express().use(subject[name]), { body: '{}' })
      assert.equal(status, 500)
      assert.match(text,
        /TypeError: options cannot be a request: the parser must be made first, as in app\.use\(bodyParser\.json\(\)\)/)
    })
  }

  it('a limit of a unit that there is not: a warning, as body-parser takes it for bytes', async () => {
    const program = "require('./').json({ limit: '10 mbb' }); console.log('runs')"
    const { stdout, stderr } = await run(process.execPath, ['-e', program], { cwd: ROOT })
    assert.equal(stdout, 'runs\n')
    const warning = 'option limit "10 mbb" is read as 10 bytes: its unit should be b, kb, mb, gb, tb or pb'
    assert.ok(stderr.includes(`[FAST_BODY_PARSER_SIZE] Warning: ${warning}`), stderr)
  })
})
