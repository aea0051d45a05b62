'use strict'

// The lanes in which a body is read, and messages for each: of declared length
// or chunked, cut at several places, as it is or coded.

const zlib = require('node:zlib')
const { messageOf } = require('../../tools/http-message')
const { arrivals } = require('./arrival')

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
