'use strict'

// The servers that Node brings, without any framework.

const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const https = require('node:https')
const { alike } = require('./support/alike')
const { requests } = require('./support/requests')
const { pieces, sendBy, serve } = require('./support/serve')
const { answer, oracle, run, stack, subject } = require('./support/stack')

const listener = (bodyParser) => {
  const parsers = stack(bodyParser)
  return (req, res) => run(parsers, req, res, (error) => answer(req, res, error))
}

// TLS by a key that both know: no certificate is needed
const key = { psk: Buffer.alloc(16, 7), identity: 'test' }
const tls = { ciphers: 'PSK', maxVersion: 'TLSv1.2' }
const server = { ...tls, pskCallback: () => key.psk, pskIdentityHint: '' }
const client = { ...tls, pskCallback: () => key, checkServerIdentity: () => {} }

describe('node:http', () => {
  const create = (bodyParser) => () => serve(http.createServer(listener(bodyParser)))
  alike(create(subject), create(oracle))
})

describe('node:https', () => {
  const send = (port, request) => sendBy(https.request, { ...client, port, agent: false }, request)
  const create = (bodyParser) => () => serve(https.createServer(server, listener(bodyParser)), send)
  alike(create(subject), create(oracle))
})

describe('node:http2', () => {
  const secure = (bodyParser) => http2.createSecureServer({ ...server, allowHTTP1: true }, listener(bodyParser))
  const plain = (bodyParser) => http2.createServer(listener(bodyParser))
  // body-parser sees no body in a request that does not declare its length
  const skipped = Object.fromEntries(requests.filter(({ body }) => body !== undefined).map(({ it }) =>
    [it, { seen: {}, error: undefined }]))
  const chunkedOnly = Object.fromEntries(requests.filter((request) => request.chunked).map(({ it }) =>
    [it, skipped[it]]))

  for (const [how, createServer, options] of [['over TLS', secure, client], ['in clear', plain, {}]]) {
    const protocol = createServer === secure ? 'https' : 'http'
    const side = (bodyParser, declares) => () => serve(createServer(bodyParser), (port, request) => {
      return sendHttp2(`${protocol}://127.0.0.1:${port}`, options, request, declares)
    })

    describe(`${how}, with content-length`, () => {
      alike(side(subject, true), side(oracle, true), { theirs: chunkedOnly })
    })

    describe(`${how}, without content-length`, () => {
      alike(side(subject, false), side(oracle, false), { theirs: skipped })
    })
  }
})

async function sendHttp2 (url, options, { method = 'POST', headers, body, chunked }, declares) {
  const session = http2.connect(url, options)
  try {
    const length = body === undefined || chunked || !declares ? {} : { 'content-length': Buffer.byteLength(body) }
    const stream = session.request({ ':method': method, ...headers, ...length }, { endStream: body === undefined })
    const response = once(stream, 'response')
    for (const piece of pieces(body, chunked)) {
      stream.write(piece)
      await new Promise(setImmediate)
    }
    if (body !== undefined) stream.end()
    const [{ ':status': status, 'content-type': type }] = await response
    return { status, type, text: Buffer.concat(await stream.toArray()).toString() }
  } finally {
    session.close()
  }
}
