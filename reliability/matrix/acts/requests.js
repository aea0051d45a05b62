'use strict'

// What other code does to a request while it is parsed.

const { NGHTTP2_CANCEL } = require('node:http2').constants

/** Those of one version of HTTP say so. @type {Record<string, import('./act').Act | import('./act').Act['run']>} */
module.exports = {
  nothing () {},
  'req.destroy()': ({ req }) => req.destroy(),
  'req.destroy(error)': ({ req, error }) => req.destroy(error),
  'res.destroy()': ({ res }) => res.destroy(),
  'socket.destroy()': { http: 1, run: ({ req }) => req.socket?.destroy() },
  'socket.end()': { http: 1, run: ({ req }) => req.socket?.end() },
  'stream.destroy()': { http: 2, run: ({ stream }) => stream.destroy() },
  'stream.close(CANCEL)': { http: 2, run: ({ stream }) => stream.close(NGHTTP2_CANCEL) },
  'session.destroy()': { http: 2, run: ({ stream }) => stream.session?.destroy() },
  'session.close()': { http: 2, run: ({ stream }) => stream.session?.close() },
  'client resets': ({ client }) => client.reset(),
  'client leaves': ({ client }) => client.close(),
  'client ends': ({ client }) => client.halfClose(),
  'req.pause()': ({ req }) => req.pause(),
  'req.pause(), resume later' ({ req }) {
    req.pause()
    setTimeout(() => req.resume(), 5)
  },
  'req.resume()': ({ req }) => req.resume(),
  'req.setEncoding()': ({ req }) => req.setEncoding('latin1'),
  "req.emit('aborted')": ({ req }) => req.emit('aborted'),
  "req.emit('close')": ({ req }) => req.emit('close'),
  "req.emit('error')": ({ req, error }) => req.emit('error', error),
  'res.end()': ({ res }) => res.writableEnded || res.end('early'),
  throw: { throws: true, run ({ error }) { throw error } }
}
