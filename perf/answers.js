'use strict'

// The answers of the servers. Each depends on the parsed body, because a load
// test that does not check the response may be timing errors. A missing body is `undefined` in body-parser 2 and an
// empty object in version 1: both give the same answer.

const { serializeRequest } = require('../tools/http-message')

const HOST = 'localhost'

const answers = {
  /** The whole body. */
  echo (body) {
    if (body === undefined) return ''
    if (Buffer.isBuffer(body) || typeof body === 'string') return body
    const text = JSON.stringify(body)
    return text === '{}' ? '' : text
  },

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
 * @returns {import('../tools/load').LoadRequest[]} its requests, with the responses that they must get
 */
function exchangesOf (scenario, answer = scenario.answer) {
  return scenario.requests().map((request) => {
    const { method, headers: own, body, chunks, value, refusal } = request
    const headers = { host: HOST, connection: 'keep-alive', ...lowerCase(own) }
    const framing = chunks !== undefined ? { 'transfer-encoding': 'chunked' } : method === 'GET' ? {} : { 'content-length': String(body.length) }
    const answered = () => ({ status: 200, body: Buffer.from(answers[answer](value, { ...headers, ...framing })).latin1Slice() })
    return { message: serializeRequest({ method, headers, body, chunks }), expected: refusal ?? answered(), coding: request.coding }
  })
}

const lowerCase = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

module.exports = { answers, exchangesOf }
