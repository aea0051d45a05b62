'use strict'

const assert = require('node:assert/strict')
const { createGate, ensureBody, isFinished, EMPTY, FINISHED, MISMATCH } = require('../../lib/gate')

const TEXT = { allows: () => true, fallback: 'utf-8' }

function request (contentType, more) {
  return {
    complete: false,
    socket: { readable: true },
    headers: { 'content-length': '1', ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    ...more
  }
}

function enter (gate, req) {
  return gate(req, req.headers)
}

describe('gate', () => {
  it('tells why there is nothing to read', () => {
    const gate = createGate({ type: 'text/plain', charsets: TEXT, early: false })
    assert.equal(enter(gate, request('text/html')), MISMATCH)
    assert.equal(enter(gate, request(undefined)), MISMATCH)
    assert.equal(enter(gate, request('text/plain', { headers: {} })), EMPTY)
    assert.equal(enter(gate, request('text/plain', { socket: null })), FINISHED)
    assert.equal(enter(gate, request('text/plain', { socket: null, headers: {} })), FINISHED)
  })

  it('creates req.body for whoever asks, but not where it will be set anyway', () => {
    const gate = createGate({ type: 'text/plain', charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' }, early: false })
    const bodyAfter = (req) => {
      enter(gate, req)
      return 'body' in req
    }
    assert.equal(bodyAfter(request('text/html')), true)
    assert.equal(bodyAfter(request('text/plain; charset=x')), true)
    assert.equal(bodyAfter(request('text/plain', { headers: {} })), true)
    assert.equal(bodyAfter(request('text/plain', { socket: null, headers: {} })), false)
    assert.equal(bodyAfter(request('text/plain')), false)
  })

  it('remembers what a Content-Type means', () => {
    let asked = 0
    const charsets = { allows: () => { asked++; return true }, fallback: 'utf-8' }
    const gate = createGate({ type: 'text/plain', charsets, early: false })
    const first = enter(gate, request('text/plain; charset=utf-8'))
    assert.equal(enter(gate, request('text/plain; charset=utf-8')), first)
    assert.equal(asked, 1)
  })

  it('remembers eight values', () => {
    const asked = []
    const charsets = { allows: (charset) => { asked.push(charset); return true }, fallback: 'utf-8' }
    const gate = createGate({ type: 'text/plain', charsets, early: false })
    const ask = (...marks) => {
      for (const mark of marks) assert.equal(enter(gate, request(`text/plain; charset=utf-8:${mark}`)).charset, `utf-8:${mark}`)
    }
    for (let i = 0; i < 3; i++) ask(0, 1, 2, 3, 4, 5, 6, 7)
    assert.equal(asked.length, 8)
    ask(8, 7, 1, 8) // in place of the oldest
    assert.equal(asked.length, 9)
    ask(0)
    assert.deepEqual(asked.slice(8), ['utf-8:8', 'utf-8:0'])
  })

  it('does not remember long values', () => {
    let asked = 0
    const charsets = { allows: () => { asked++; return true }, fallback: 'utf-8' }
    const gate = createGate({ type: 'text/plain', charsets, early: false })
    const padded = (length) => 'text/plain; a='.padEnd(length, 'x')
    for (const length of [64, 64, 65, 65]) enter(gate, request(padded(length)))
    assert.equal(asked, 3)
  })

  it('remembers nothing for a type function, which is asked each time', () => {
    let asked = 0
    const gate = createGate({ type: () => ++asked % 2 === 1, charsets: null, early: false })
    assert.equal(enter(gate, request('a/b')).skip, false)
    assert.equal(enter(gate, request('a/b')), MISMATCH)
    assert.equal(enter(gate, request(undefined)).skip, false)
  })

  it('takes its types when it is made', () => {
    for (const type of [['text/plain'], ['text/*']]) {
      const gate = createGate({ type, charsets: TEXT, early: false })
      type[0] = 'text/html'
      assert.equal(enter(gate, request('text/plain')).skip, false)
    }
  })

  it('knows when a request is finished, like on-finished', () => {
    const socket = { readable: true }
    const onFinished = require('on-finished')
    const requests = [
      { complete: false, socket }, { complete: true, readable: true, socket }, { complete: true, readable: false, socket },
      { complete: false, readable: false, socket }, { complete: false, socket, upgrade: true }, { complete: false, socket: null },
      { complete: false, socket: { readable: false } }, { socket }, {}
    ]
    for (const req of requests) assert.equal(isFinished(req), Boolean(onFinished.isFinished(req)), JSON.stringify(req))
  })

  it('creates req.body only if there is none', () => {
    const inherited = Object.create({ body: 'own' })
    for (const [req, body] of [[{}, undefined], [{ body: 1 }, 1], [inherited, 'own']]) {
      ensureBody(req)
      assert.equal('body' in req, true)
      assert.equal(req.body, body)
    }
    assert.equal(Object.hasOwn(inherited, 'body'), false)
  })

  for (const [length, expected] of [['5', null], ['0', null], ['', null], [' 5 ', null], ['0x2', null], [7, null], [null, null], ['abc', EMPTY], ['7,7', EMPTY], [undefined, EMPTY]]) {
    it(`finds ${expected === null ? 'a' : 'no'} body with content-length ${JSON.stringify(length)}`, () => {
      const gate = createGate({ type: '*/*', charsets: null, early: false })
      const decision = enter(gate, request(undefined, { headers: { 'content-type': 'a/b', 'content-length': length } }))
      if (expected === null) assert.equal(decision.skip, false)
      else assert.equal(decision, expected)
    })
  }

  it('asks HTTP/2 whether there is a body', () => {
    const gate = createGate({ type: '*/*', charsets: null, early: false })
    const headers = { ':method': 'POST', 'content-type': 'a/b' }
    assert.equal(enter(gate, request(undefined, { headers, stream: { endAfterHeaders: false } })).skip, false)
    assert.equal(enter(gate, request(undefined, { headers, stream: { endAfterHeaders: true } })), EMPTY)
    assert.equal(enter(gate, request(undefined, { headers })), EMPTY)
    assert.equal(enter(gate, request(undefined, { headers: { 'content-type': 'a/b' }, stream: { endAfterHeaders: false } })), EMPTY, 'HTTP/1 says it in its header')
  })

  it('tells what is refused before anything is read, and why', () => {
    const charsets = { allows: (charset) => charset.startsWith('utf-'), fallback: 'utf-8' }
    const refusals = (early) => ['utf-16', 'utf-none', 'koi8-r'].map((charset) => {
      const decision = enter(createGate({ type: 'a/b', charsets, early }), request(`a/b; charset=${charset}`))
      return [decision.skip, decision.charset, typeof decision.decode, decision.refused]
    })
    assert.deepEqual(refusals(false), [[false, 'utf-16', 'function', null], [false, 'utf-none', 'object', null], [false, 'koi8-r', 'object', 'not allowed']])
    assert.deepEqual(refusals(true), [[false, 'utf-16', 'function', null], [false, 'utf-none', 'object', 'unknown'], [false, 'koi8-r', 'object', 'not allowed']])
  })

  it('matches nothing with a type that is no string', () => {
    for (const type of [Symbol('a/b'), { toString: () => 'a/b' }, ['a/b'], 5, null]) {
      const gate = createGate({ type: [type], charsets: null, early: false })
      assert.equal(enter(gate, request('a/b')), MISMATCH)
    }
  })
})
