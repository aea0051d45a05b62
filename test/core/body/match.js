'use strict'

const assert = require('node:assert/strict')
const onFinished = require('on-finished')
const { compose } = require('../../../lib/compose')
const {
  createMatch,
  noteMismatch,
  trackMismatches,
  EMPTY,
  MISMATCH
} = require('../../../lib/core/body/match')
const { readOptions } = require('../../../lib/options/read-options')
const { isFinished, markClosing } = require('../../../lib/core/request/facts')
const withoutTables = require('../../support/without-tables')

const TEXT = { allows: () => true, fallback: 'utf-8' }

function request (contentType, more) {
  return {
    complete: false,
    socket: { readable: true },
    headers: { 'content-length': '1', ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    ...more
  }
}

/** The match of a header, of a parser with this `type` and these `charsets`. */
function createMatcher ({ charsets = TEXT, refusesUnknown = false, type }) {
  const settings = readOptions('text', { type, verify: refusesUnknown && (() => {}) })
  return compose('text', settings, () => ({ charsets, parse: String })).matchHeader
}

const find = (match, req) => match(req, req.headers)
const skip = (req) => createMatch(() => null, { isUnreadable: null })(req, req.headers)

describe('match', () => {
  describe('createMatch', () => {
    it('asks nothing more of a request without a body that another parser has skipped', () => {
      assert.equal(skip(request('text/plain', { socket: null, headers: {}, body: {} })), EMPTY)
    })

    it('leaves a req.body that is there, own or inherited', () => {
      for (const headers of [{}, { 'content-length': '1' }]) {
        const inherited = Object.assign(Object.create({ body: 'own' }), request(undefined, { headers }))
        skip(inherited)
        assert.deepEqual([inherited.body, Object.hasOwn(inherited, 'body')], ['own', false])
        const own = request(undefined, { headers, body: 1 })
        skip(own)
        assert.equal(own.body, 1)
      }
    })

    for (const [length, expected] of [
      ['5', null], ['0', null], ['', null], [' 5 ', null], ['0x2', null], [7, null], [null, null], ['abc', EMPTY],
      ['7,7', EMPTY], [undefined, EMPTY]
    ]) {
      it(`finds ${expected === null ? 'a' : 'no'} body with content-length ${JSON.stringify(length)}`, () => {
        assert.equal(skip(request(undefined, { headers: { 'content-type': 'a/b', 'content-length': length } })),
          expected)
      })
    }

    it('finds a body of HTTP/2 where END_STREAM is not on the header block', () => {
      const headers = { ':method': 'POST', 'content-type': 'a/b' }
      assert.equal(skip(request(undefined, { headers, stream: { endAfterHeaders: false } })), null)
      assert.equal(skip(request(undefined, { headers, stream: { endAfterHeaders: true } })), EMPTY)
      assert.equal(skip(request(undefined, { headers })), EMPTY)
      assert.equal(skip(request(undefined, { headers: { 'content-type': 'a/b' }, stream: { endAfterHeaders: false } })),
        EMPTY, 'HTTP/1 says it in its header')
    })
  })

  describe('isFinished', () => {
    it('agrees with on-finished', () => {
      const socket = { readable: true }
      const requests = [
        { complete: false, socket }, { complete: true, readable: true, socket },
        { complete: true, readable: false, socket },
        { complete: false, readable: false, socket }, { complete: false, socket, upgrade: true },
        { complete: false, socket: null },
        { complete: false, socket: { readable: false } },
        { complete: true, readable: true, socket: { readable: false } }, { socket }, {}
      ]
      for (const req of requests) {
        assert.equal(isFinished(req), Boolean(onFinished.isFinished(req)), JSON.stringify(req))
      }
    })

    it('is false for a whole request on a connection that is closed after an earlier error', () => {
      const socket = { readable: false }
      markClosing(socket)
      assert.equal(isFinished({ complete: true, readable: true, socket }), false)
      assert.equal(isFinished({ complete: false, readable: true, socket }), true)
      assert.equal(isFinished({ complete: true, readable: false, socket }), true)
    })
  })

  it('notes for a request what the parsers that skip it would have taken, after trackMismatches()', () => {
    const req = { on () {} } // a stream
    withoutTables('mismatches', () => noteMismatch(req, 'before'))
    const mismatchesOf = trackMismatches()
    assert.deepEqual(mismatchesOf(req), [])
    noteMismatch(req, 'a/b')
    noteMismatch({ on () {} }, 'of another')
    noteMismatch(req, ['c/d', 'e/f'])
    assert.deepEqual(mismatchesOf(req), ['a/b', ['c/d', 'e/f']])
    assert.deepEqual(trackMismatches()(req), mismatchesOf(req))
  })

  describe('createHeaderMatch', () => {
    it('remembers the latest value', () => {
      const asked = []
      const allows = (charset) => asked.push(charset) > 0
      const match = createMatcher({ type: 'text/plain', charsets: { allows, fallback: 'utf-8' } })
      asked.length = 0
      for (const charset of ['utf-8:0', 'utf-8:0', 'utf-8:1', 'utf-8:1', 'utf-8:0']) {
        assert.equal(find(match, request(`text/plain; charset=${charset}`)).charset, charset)
      }
      assert.deepEqual(asked, ['utf-8:0', 'utf-8:1', 'utf-8:0'])
    })

    it('remembers a mismatch as well', () => {
      const match = createMatcher({ type: 'text/plain' })
      for (const type of ['text/html', 'text/html', 'text/plain', 'text/html']) {
        assert.equal(find(match, request(type)) === MISMATCH, type === 'text/html')
      }
    })

    it('does not remember values of more than 64 characters', () => {
      let asked = 0
      const match = createMatcher({
        type: 'text/plain',
        charsets: { allows: () => { asked++; return true }, fallback: 'utf-8' }
      })
      asked = 0
      const padded = (length) => 'text/plain; a='.padEnd(length, 'x')
      for (const length of [64, 64, 65, 65]) find(match, request(padded(length)))
      assert.equal(asked, 3)
    })

    it('calls a type function for each request', () => {
      let asked = 0
      const match = createMatcher({ type: () => ++asked % 2 === 1, charsets: null })
      assert.equal(find(match, request('a/b')).skip, false)
      assert.equal(find(match, request('a/b')), MISMATCH)
      assert.equal(find(match, request(undefined)).skip, false)
    })

    it('says which charsets are refused before anything is read, and why', () => {
      const charsets = { allows: (charset) => charset.startsWith('utf-'), fallback: 'utf-8' }
      const refusals = (refusesUnknown) => ['utf-16', 'utf-none', 'koi8-r'].map((charset) => {
        const match = find(createMatcher({ type: 'a/b', charsets, refusesUnknown }), request(`a/b; charset=${charset}`))
        return [match.skip, match.charset, typeof match.decode, match.refusal]
      })
      assert.deepEqual(refusals(false), [
        [false, 'utf-16', 'function', null],
        [false, 'utf-none', 'object', null],
        [false, 'koi8-r', 'object', 'not allowed']
      ])
      assert.deepEqual(refusals(true), [
        [false, 'utf-16', 'function', null],
        [false, 'utf-none', 'object', 'unknown'],
        [false, 'koi8-r', 'object', 'not allowed']
      ])
    })
  })
})
