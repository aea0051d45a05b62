'use strict'

// The answers of the servers. Each depends on the parsed body, as a load test
// that does not look at the response may be timing errors; the driver computes
// the same from what it sends. A missing body is `undefined` in body-parser 2
// and an empty object in version 1: both give the same answer.

/** The whole body. */
function echo (body) {
  if (body === undefined) return ''
  if (Buffer.isBuffer(body) || typeof body === 'string') return body
  const text = JSON.stringify(body)
  return text === '{}' ? '' : text
}

/** The end of the body: little work, so that the parser's share is large. */
function tail (body) {
  if (body === undefined) return 'none'
  if (Buffer.isBuffer(body)) return body.latin1Slice(body.length - 8)
  if (typeof body === 'string') return body.slice(-8)
  return body.last ?? 'none'
}

/** The header and the whole body. */
function echoAll (body, headers) {
  return JSON.stringify({ headers, body })
}

module.exports = { echo, tail, echoAll }
