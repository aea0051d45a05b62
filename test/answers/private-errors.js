'use strict'

const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const { mock } = require('node:test')
const theirs = require('body-parser')
const bodyParser = require('fast-body-parser')
const fetchFrom = require('../support/express')

const { createParser, json, problemDetails, urlencoded } = bodyParser
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const BODIES = { [JSON_TYPE]: '{"a":1}', [FORM]: 'a[b]=1', 'text/plain': 'text' }
const MISSING = '/secret/module'
const CONSTANT = new Error('secret')

/** What is thrown, and whether it is logged. */
const rows = [
  ['a file that is not there', () => readFileSync('/secret/webhook.key'), true],
  ['a module that is not there', () => require(MISSING), true],
  ['a TypeError', () => undefined.secret, true],
  ['a ReferenceError', () => secret, true], // eslint-disable-line no-undef
  ['an error of the app', () => { throw new Error('secret') }, false],
  ['a constant error of the app', () => { throw CONSTANT }, false],
  ['a constant error of the app, from a promise', async () => { throw CONSTANT }, false],
  ['an error with a type, headers and a limit',
    () => { throw Object.assign(new Error('secret'), { type: 'secret', limit: 5, headers: { 'X-Secret': '1' } }) },
    false],
  ['an error that must not be exposed',
    () => { throw Object.assign(new Error('secret'), { status: 400, expose: false }) }, false],
  ['a frozen error', () => { throw Object.freeze(new Error('secret')) }, false],
  ['a string', () => { throw 'secret' }, false], // eslint-disable-line no-throw-literal
  ['null', () => { throw null }, false] // eslint-disable-line no-throw-literal
]

/** What is thrown, and the detail. */
const meant = [
  ['a status', () => { throw Object.assign(new Error('for clients'), { status: 401 }) }],
  ['expose', () => { throw Object.assign(new Error('for clients'), { expose: true }) }],
  ['a status, and is a TypeError', async () => { throw Object.assign(new TypeError('for clients'), { status: 401 }) }]
]

const places = {
  'verify of json': [(act) => json({ verify: act }), JSON_TYPE],
  'parse of json': [(act) => json({ parse: act }), JSON_TYPE],
  'parse of urlencoded': [(act) => urlencoded({ parse: act }), FORM],
  'parse of createParser': [(act) => createParser({ type: 'text/*', parse: act }), 'text/plain']
}
const syncPlaces = {
  'reviver of json': [(act) => json({ reviver: act }), JSON_TYPE],
  'decoder of qs': [(act) => urlencoded({ extended: true, qs: { decoder: act } }), FORM]
}
/** JSON.parse calls a reviver, whose errors lose their fields, as in body-parser. */
const syncRows = rows.filter(([what]) => what.endsWith('Error') || what.startsWith('a constant error of the app a'))

async function ask (parser, type, handle = problemDetails({ base: 'https://example.com/' }), body = BODIES[type]) {
  let fault
  const answer = (error, req, res, next) => {
    fault = error
    handle(error, req, res, assert.fail)
  }
  const { status, headers, text } = await fetchFrom([parser, answer], { headers: { 'content-type': type }, body })
  return { error: fault, headers, problem: JSON.parse(text), status }
}

describe('problemDetails keeps from clients what the app did not mean for them', () => {
  let log
  const { NODE_ENV } = process.env

  beforeEach(() => {
    delete process.env.NODE_ENV
    log = mock.method(console, 'error', () => {})
  })

  afterEach(() => {
    mock.restoreAll()
    if (NODE_ENV !== undefined) process.env.NODE_ENV = NODE_ENV
  })

  for (const [p, [place, [createParser, type]]] of Object.entries({ ...places, ...syncPlaces }).entries()) {
    // Places take turns: each row is thrown by one place that calls verify or parse of json, and by one of the others.
    const chosen = rows.filter((row, index) => index % 2 === p % 2)
    for (const [what, act, isLogged] of place in syncPlaces ? syncRows : chosen) {
      it(`${what}, thrown by ${place}`, async () => {
        const { headers, problem, status } = await ask(createParser(act), type)
        assert.deepEqual(problem, { type: 'about:blank', title: http.STATUS_CODES[status], status })
        assert.equal(headers.get('x-secret'), null)
        const logged = log.mock.calls.map(({ arguments: [text] }) => text)
        assert.equal(logged.length, isLogged ? 1 : 0, logged.join())
        for (const text of logged) assert.match(text, /\n +at /)
      })
    }
  }

  for (const [place, [createParser, type]] of Object.entries(places)) {
    for (const [what, act] of meant) {
      it(`and tells an error that has ${what}, thrown by ${place}`, async () => {
        assert.equal((await ask(createParser(act), type)).problem.detail, 'for clients')
        assert.equal(log.mock.callCount(), 0)
      })
    }
  }

  it('and logs an error that is no fault of the client', async () => {
    const parser = json()
    const { problem } = await ask((req, res, next) => parser(req.setEncoding('utf8'), res, next), JSON_TYPE)
    assert.deepEqual(problem, { type: 'about:blank', title: 'Internal Server Error', status: 500 })
    const [{ arguments: [text] }, ...more] = log.mock.calls
    assert.match(text, /stream encoding should not be set\n +at /)
    assert.deepEqual(more, [])
  })

  it('logs nothing where the app is tested', async () => {
    process.env.NODE_ENV = 'test'
    await ask(json({ verify: () => undefined.secret }), JSON_TYPE)
    delete process.env.NODE_ENV
    assert.equal(log.mock.callCount(), 0)
  })

  it('leaves the error that next gets as it is in body-parser', async () => {
    problemDetails()
    const answer = (error, req, res) => res.end(JSON.stringify(error.status))
    for (const index of [0, 2, 3, 4, 7, 8]) {
      const [ours, other] = await Promise.all([json, theirs.json].map((json) =>
        ask(json({ verify: rows[index][1] }), JSON_TYPE, answer)))
      assert.deepEqual(ours.error, other.error)
      assert.deepEqual({ ...ours.error }, { ...other.error })
    }
  })
})
