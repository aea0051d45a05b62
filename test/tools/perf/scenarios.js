'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const defaults = require('../../../perf/defaults')
const scheduleRounds = require('../../../perf/runner/schedule')
const { checkAnswer, checkPayload, checkScenario, expectedOf, loadScenario, scenarioNames } = require('../../../perf/scenarios')
const { echo, tail } = require('../../../perf/scenarios/answers')
const { record } = require('../../../perf/scenarios/payloads')
const { createRandom } = require('../../../tools/random')

describe('perf/scenarios', () => {
  for (const name of scenarioNames()) {
    it(`${name} is complete: bytes as declared, known answers in ASCII`, () => {
      const scenario = loadScenario(name)
      assert.ok(scenario.about.length > 0)
      assert.ok(scenario.app in defaults.apps)
      assert.ok(Object.keys(scenario.parsers).length > 0)
      for (const request of scenario.requests) {
        const { status, body } = expectedOf(request, scenario.answer, 'h:1')
        assert.ok(status >= 200)
        assert.match(body, /^[\x20-\x7E]+$/) // autocannon reads responses piece by piece
      }
    })
  }

  it('refuses a payload of another length than declared', () => {
    const [request] = loadScenario('http-json').requests
    assert.throws(() => checkPayload('x', { ...request, bytes: 301 }), /a payload has 300 bytes, and declares 301/)
  })

  for (const [what, change, message] of [
    ['an unknown app', { app: 'koa' }, /scenario http-json: there is no app koa/],
    ['an unknown answer', { answer: 'yes' }, /there is no answer yes/],
    ['an unknown parser', { parsers: { xml: {} } }, /there is no parser xml/],
    ['no requests', { requests: [] }, /needs another value of requests/],
    ['a request without bytes', { requests: [{ method: 'POST', headers: {}, body: Buffer.alloc(0) }] }, /another value of requests\[0\]\.bytes/]
  ]) {
    it(`refuses ${what}`, () => {
      assert.throws(() => checkScenario({ ...loadScenario('http-json'), ...change }), message)
    })
  }

  it('refuses a body of which the answer tail shows nothing', () => {
    assert.throws(() => checkAnswer({ name: 'x', answer: 'tail' }, { value: { a: 1 } }), /scenario x: the answer tail needs a field `last`/)
    for (const [answer, request] of [['echo', { value: { a: 1 } }], ['tail', { value: undefined }], ['tail', { value: 'text' }]]) {
      checkAnswer({ name: 'x', answer }, request)
    }
  })

  it('makes records of any size', () => {
    for (let bytes = 140; bytes < 1200; bytes += 7) {
      assert.equal(Buffer.byteLength(JSON.stringify(record(bytes))), bytes)
    }
  })
})

describe('perf/scenarios/answers', () => {
  it('are the same without a body, whatever a parser makes of it', () => {
    assert.equal(echo({}), echo(undefined))
    assert.equal(tail({}), tail(undefined))
  })
})

describe('perf/runner/schedule', () => {
  it('reverses the order of the targets from round to round, and begins with either', () => {
    const random = createRandom(1)
    const orders = new Set()
    for (let i = 0; i < 20; i++) {
      const rounds = scheduleRounds(['A', 'B'], random)
      orders.add(Array.from({ length: 4 }, () => rounds.next().value.join('')).join(' '))
    }
    assert.deepEqual([...orders].sort(), ['AB BA AB BA', 'BA AB BA AB'])
  })
})
