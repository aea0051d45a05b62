'use strict'

// Requests without a network: real IncomingMessages, fed the way Node's HTTP server feeds them.

const { IncomingMessage } = require('node:http')
const { Socket } = require('node:net')

const socket = new Socket()
Object.defineProperty(socket, 'readable', { value: true })

/**
 * Names and values of header fields are new strings in each request, as on a server: code that looks at one has to hash
 * or compare it.
 *
 * @param {import('../rows').Work} work
 * @returns {() => IncomingMessage} makes the row's request, without its body
 */
function createRequestFactory ({ headers }) {
  const fields = Object.entries(headers).flat().map((text) => Buffer.from(text, 'latin1'))
  return () => {
    const req = new IncomingMessage(socket)
    req.httpVersionMajor = 1
    req.httpVersionMinor = 1
    req.httpVersion = '1.1'
    req.method = 'POST'
    req.url = '/'
    const lines = fields.map((bytes) => bytes.latin1Slice())
    req._addHeaderLines(lines, lines.length)
    return req
  }
}

/**
 * A function that sends the body. The first chunk comes at once, as what is in one packet with the header does; each
 * further one in a tick of its own.
 *
 * @param {import('../rows').Work} work
 * @returns {(req: IncomingMessage) => void}
 */
function createFeed ({ chunks, served }) {
  if (!served) return (req) => feedFrom(req, chunks, 0)
  return (req) => {
    for (const chunk of chunks) req.push(chunk)
    process.nextTick(end, req)
  }
}

function feedFrom (req, chunks, index) {
  req.push(chunks[index])
  if (index + 1 === chunks.length) end(req)
  else setImmediate(feedFrom, req, chunks, index + 1)
}

function end (req) {
  req.complete = true
  req.push(null)
}

module.exports = { createRequestFactory, createFeed }
