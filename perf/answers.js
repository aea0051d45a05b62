'use strict'

// The answers of the servers. Each depends on the parsed body, because a load
// test that does not check the response may be timing errors. A missing body is `undefined` in body-parser 2 and an
// empty object in version 1: both give the same answer.

const { createHash } = require('node:crypto')

const answers = {
  /** The whole body. */
  echo (body) {
    if (body === undefined) return ''
    if (Buffer.isBuffer(body) || typeof body === 'string') return body
    const text = JSON.stringify(body)
    return text === '{}' ? '' : text
  },

  /** Stands for the whole body, in ASCII. */
  digest: (body) => createHash('sha256').update(answers.echo(body)).digest('hex'),

  /** The end of the body: little work, so that the parser's share is large. */
  tail (body) {
    if (body === undefined) return 'none'
    if (Buffer.isBuffer(body)) return body.latin1Slice(body.length - 8)
    if (typeof body === 'string') return body.slice(-8)
    return body.last ?? 'none'
  },

  /** The header and the whole body. */
  echoAll: (body, headers) => JSON.stringify({ headers, body })
}

/**
 * @param {import('./scenarios').Scenario} scenario
 * @param {string} [answer] in place of the scenario's
 * @returns {(import('../tools/lab/closed-loop').Request & { coding?: string, chunks?: number })[]} its requests,
 *   with the responses that they must get
 */
function exchangesOf (scenario, answer = scenario.answer) {
  return scenario.requests().map(({ method, headers: own, body, chunks, coding, value, refusal }) => {
    const length = method === 'GET' ? {} : { 'content-length': String(body.length) }
    const framing = chunks === undefined ? length : { 'transfer-encoding': 'chunked' }
    const headers = { host: 'localhost', ...own }
    const seen = { connection: 'keep-alive', ...headers, ...framing }
    const expected = refusal ?? { status: 200, body: String(answers[answer](value, seen)) }
    return { method, headers, body, chunks, coding, expected }
  })
}

module.exports = { answers, exchangesOf }
