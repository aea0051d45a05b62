'use strict'

const { once } = require('node:events')
const http2 = require('node:http2')
const serving = require('./serving')
const { TYPE } = require('./upload')

/** Sends a form over HTTP/2 to a server that runs a parser, by `send` if that is given; `handle` runs afterwards. */
module.exports = function uploadHttp2 (parser, body, { headers, handle, send } = {}) {
  const server = http2.createServer()
  return serving(server, async (port) => {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    const stream = session.request({ ':method': 'POST', 'content-type': TYPE, ...headers }).on('error', () => {})
    if (send) send(stream)
    else stream.end(body)
    const [req, res] = await once(server, 'request')
    try {
      const error = await new Promise((resolve) => parser(req, res, resolve))
      const { body, files } = req
      return { error, body, files, handled: await handle?.(req, res, error) }
    } finally {
      session.destroy()
    }
  })
}
