'use strict'

// The lanes in which a body is read, and one message for each: of declared
// length or chunked, cut at several places, as it is or coded.

const zlib = require('node:zlib')
const { arrivals } = require('./arrival')
const { asChunk, LAST_CHUNK } = require('./chunk')

/**
 * @param {object} request
 * @param {Record<string, string>} [request.headers]
 * @param {string | Buffer} [request.body] undefined: the request has none
 * @param {boolean} [request.chunked]
 * @param {number} [request.length] to declare, if it is not that of the body
 * @param {Buffer[]} [request.pieces] of the body
 * @param {boolean} [request.cut] break the connection after the body
 * @returns {object} message for `exchange`
 */
function messageOf ({ headers = {}, body, chunked = false, length, pieces = [Buffer.from(body ?? '')], cut = false }) {
  const lines = ['POST / HTTP/1.1', 'Host: test', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (chunked) lines.push('Transfer-Encoding: chunked')
  else if (body !== undefined) lines.push(`Content-Length: ${length ?? Buffer.byteLength(body)}`)
  const framed = chunked ? [...pieces.map(asChunk), ...(cut ? [] : [LAST_CHUNK])] : pieces
  return { head: `${lines.join('\r\n')}\r\n\r\n`, pieces: framed, cut }
}

/** One message for each way a body can arrive, by the name of that way. */
function messagesOf (request) {
  const messages = {}
  for (const chunked of [false, true]) {
    for (const [way, pieces] of Object.entries(arrivals(Buffer.from(request.body)))) {
      messages[`${chunked ? 'chunked' : 'declared'}, ${way}`] = messageOf({ ...request, chunked, pieces })
    }
  }
  return messages
}

/** The same, and all that with the body coded. */
function lanesOf ({ headers, body, ...more }) {
  const plain = messagesOf({ headers, body, ...more })
  const coded = messagesOf({ headers: { ...headers, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync(body), ...more })
  return { ...plain, ...Object.fromEntries(Object.entries(coded).map(([lane, message]) => [`gzip ${lane}`, message])) }
}

module.exports = { lanesOf, messageOf, messagesOf }
