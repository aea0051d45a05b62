'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { takeTurns } = require('../../../perf/blocks')
const defaults = require('../../../perf/defaults')
const createRandom = require('../../../perf/random')
const { record } = require('../../../perf/payloads')
const { checkPayload, checkScenario, expectedOf, loadScenario, scenarioNames } = require('../../../perf/scenario')
const { toBytes } = require('../../../perf/wire')

describe('perf/scenario', () => {
  for (const name of scenarioNames()) {
    it(`${name} is whole: bytes as stated, answers known and in ASCII`, () => {
      const scenario = loadScenario(name)
      assert.ok(scenario.about.length > 0)
      assert.ok(scenario.app in defaults.apps)
      assert.ok(Object.keys(scenario.parsers).length > 0)
      for (const request of scenario.requests) {
        const { status, body } = expectedOf(request, scenario.answer)
        assert.ok(status >= 200)
        assert.match(body, /^[\x20-\x7E]+$/) // autocannon reads answers piece by piece
      }
    })
  }

  it('refuses a payload that has not the bytes that it states', () => {
    const [request] = loadScenario('http-json').requests
    assert.throws(() => checkPayload('x', { ...request, bytes: 301 }), /a payload of 300 bytes says that it has 301/)
  })

  for (const [what, change, message] of [
    ['an app that is none', { app: 'koa' }, /scenario http-json: there is no app koa/],
    ['an answer that is none', { answer: 'yes' }, /there is no answer yes/],
    ['a parser that is none', { parsers: { xml: {} } }, /there is no parser xml/],
    ['no requests', { requests: [] }, /needs another value of requests/],
    ['a request without bytes', { requests: [{ method: 'POST', headers: {}, body: Buffer.alloc(0) }] }, /another value of requests\[0\]\.bytes/]
  ]) {
    it(`refuses ${what}`, () => {
      assert.throws(() => checkScenario({ ...loadScenario('http-json'), ...change }), message)
    })
  }

  it('makes records of any size', () => {
    for (let bytes = 140; bytes < 1200; bytes += 7) {
      assert.equal(Buffer.byteLength(JSON.stringify(record(bytes))), bytes)
    }
  })
})

describe('perf/wire', () => {
  it('writes a length, or chunks', () => {
    const request = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: Buffer.from('hello') }
    assert.equal(toBytes(request, 'h:1').toString(),
      'POST / HTTP/1.1\r\nHost: h:1\r\nConnection: keep-alive\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello')
    assert.match(toBytes({ ...request, chunks: 2 }, 'h:1').toString(),
      /Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n$/)
  })
})

describe('perf/blocks', () => {
  it('gives both sides the same number of slices, in either order', () => {
    const random = createRandom(1)
    const firsts = new Set()
    for (let i = 0; i < 20; i++) {
      const turns = takeTurns(['A', 'B'], 2, 0.5, random)
      firsts.add(turns[0])
      assert.equal(turns.length, 8)
      for (let group = 0; group < 8; group += 4) assert.match(turns.slice(group, group + 4).join(''), /^(ABBA|BAAB)$/)
    }
    assert.equal(firsts.size, 2)
  })

  it('has one side all to itself', () => {
    assert.deepEqual(takeTurns(['A'], 1, 0.5, createRandom(1)), ['A', 'A'])
  })
})
