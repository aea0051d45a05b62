'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { after, before, describe, it } = require('mocha')
const { echo, tail } = require('../../../perf/answers')
const check = require('../../../perf/drivers/check')
const { get, json } = require('../../../perf/requests')

describe('perf/answers', () => {
  it('are the same for no body, whatever a parser makes of it', () => {
    assert.equal(echo({}), echo(undefined))
    assert.equal(tail({}), tail(undefined))
  })
})

describe('perf/drivers/check', () => {
  const VALUE = { last: 'the-end!' }
  let server
  let url
  let status
  let answer

  before((done) => {
    server = http.createServer((req, res) => {
      req.resume().on('end', () => {
        res.statusCode = status
        res.end(answer)
      })
    }).listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${server.address().port}`
      done()
    })
  })

  after(() => server?.close())

  for (const [what, given, answered, found] of [
    ['takes what was sent', json(VALUE, 19), [200, JSON.stringify(VALUE)], { problem: null, lacks: null }],
    ['takes nothing for no body', get(), [200, ''], { problem: null, lacks: null }],
    ['tells of another answer', json(VALUE, 19), [200, '{}'], { problem: 'the answer is not what was sent', lacks: null }],
    ['tells of another status', json(VALUE, 19), [415, 'no'], { problem: 'status 415 instead of 200: no', lacks: null }],
    ['names the coding that a server does not know', json(VALUE, 19, { coding: 'br' }), [415, 'no'], { problem: null, lacks: 'br' }]
  ]) {
    it(what, async () => {
      [status, answer] = answered
      assert.deepEqual(await check({ requests: [given] }, { url, answer: 'echo' }), found)
    })
  }

  it('tells of a server that is not there', async () => {
    const { problem } = await check({ requests: [get()] }, { url: 'http://127.0.0.1:1', answer: 'echo' })
    assert.match(problem, /ECONNREFUSED/)
  })
})
