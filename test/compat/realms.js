'use strict'

// Values of another realm, and names that Object.prototype has. test/integration
// runs the tests of the parsers in a context of node:vm, and with frozen prototypes.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { PassThrough } = require('node:stream')
const { pathToFileURL } = require('node:url')
const vm = require('node:vm')
const subject = require('../..')

const FORM = 'application/x-www-form-urlencoded'
const FORM_DATA = 'multipart/form-data; boundary=b'
const fieldsOf = (...names) => names.map((name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`)
  .join('') + '--b--\r\n'

function createRequest (type) {
  return Object.assign(new PassThrough(), { headers: { 'content-type': type, 'transfer-encoding': 'chunked' } })
}

/** @returns {Promise<unknown>} what `next` gets */
const call = (parser, req) => new Promise((resolve) => parser(req, {}, resolve))

describe('the parsers', () => {
  it('move a file to a URL of another realm', async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'realms-'))
    const target = path.join(directory, 'kept')
    const req = createRequest(FORM_DATA)
    const parsed = call(subject.multipart({ store: subject.multipart.disk(directory) }), req)
    req.end('--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\ncontent\r\n--b--\r\n')
    await parsed
    const { href, protocol, pathname, host, hostname } = pathToFileURL(target)
    const url = vm.runInNewContext('(fields) => ({ ...fields })')({ href, protocol, pathname, host, hostname })
    await req.files.f[0].keep(url)
    assert.equal(fs.readFileSync(target, 'utf8'), 'content')
    fs.rmSync(directory, { recursive: true })
  })
})

describe('names that a client chooses', () => {
  const nested = { extended: true }
  // [what, makes the parser, type, body, what it is parsed to]
  const rows = [
    ['a form', () => subject.urlencoded(), FORM, 'a=1&special=2&special=3', { a: '1', special: ['2', '3'] }],
    ['a form that nests', () => subject.urlencoded(nested), FORM, 'special[a]=1&b[special][]=1&special[b]=2',
      { special: { a: '1', b: '2' }, b: { special: ['1'] } }],
    ['names of a form that qs parses into plain objects',
      () => subject.urlencoded({ extended: true, qs: { plainObjects: true } }),
      FORM, 'special=1&b[special]=1', { __proto__: null, special: '1', b: { __proto__: null, special: '1' } }],
    ['fields', () => subject.multipart(), FORM_DATA, fieldsOf('special', 'special'), { special: ['1', '1'] }],
    ['fields that nest', () => subject.multipart(nested), FORM_DATA, fieldsOf('special', 'a[special]', 'b[]'),
      { special: '1', a: { special: '1' }, b: ['1'] }]
  ]
  const descriptors = {
    'that is read-only': { value: 'inherited', writable: false },
    'that has a setter': { get: () => undefined, set: () => assert.fail('a setter was called') }
  }

  /** Parses while Object.prototype has the property; then compares. */
  async function check (rows, descriptor, isMadeBefore = false) {
    for (const [what, make, type, text, expected] of rows) {
      const req = createRequest(type)
      let parser = isMadeBefore ? make() : null
      // eslint-disable-next-line no-extend-native
      Object.defineProperty(Object.prototype, 'special', { __proto__: null, configurable: true, ...descriptor })
      let error
      try {
        parser ??= make()
        const called = call(parser, req)
        req.end(text)
        error = await called
      } finally {
        delete Object.prototype.special
      }
      assert.equal(error, undefined, what)
      assert.deepEqual(req.body, expected, what)
    }
  }

  for (const [what, descriptor] of Object.entries(descriptors)) {
    it(`may be one of Object.prototype ${what}`, () => check(rows, descriptor))
  }

  it('may be one of Object.prototype that the app has frozen after it made the parser', () =>
    check(rows, descriptors['that is read-only'], true))

  it('are dropped with allowPrototypes: false, if Object.prototype has them', () => {
    const make = () => subject.urlencoded({ ...nested, qs: { allowPrototypes: false } })
    return check([['', make, FORM, 'special=1&b[]=1', { b: ['1'] }]], descriptors['that is read-only'])
  })
})
