'use strict'

// What other code does to a request while it is parsed.

const { NGHTTP2_CANCEL } = require('node:http2').constants

/**
 * @typedef {object} Act
 * @property {(exchange: import('./exchange')) => void} run
 * @property {1 | 2} [http] the only version that it is for
 */

/** @type {Record<string, Act>} */
module.exports = {
  nothing: { run () {} },
  'req.destroy()': { run: ({ req }) => req.destroy() },
  'req.destroy(error)': { run: ({ req, error }) => req.destroy(error) },
  'res.destroy()': { run: ({ res }) => res.destroy() },
  'res.destroy(error)': { run: ({ res, error }) => res.destroy(error) },
  'socket.destroy()': { http: 1, run: ({ req }) => req.socket?.destroy() },
  'socket.destroy(error)': { http: 1, run: ({ req, error }) => req.socket?.destroy(error) },
  'socket.end()': { http: 1, run: ({ req }) => req.socket?.end() },
  'stream.destroy()': { http: 2, run: ({ stream }) => stream.destroy() },
  'stream.destroy(error)': { http: 2, run: ({ stream, error }) => stream.destroy(error) },
  'stream.close(CANCEL)': { http: 2, run: ({ stream }) => stream.close(NGHTTP2_CANCEL) },
  'session.destroy()': { http: 2, run: ({ stream }) => stream.session?.destroy() },
  'session.close()': { http: 2, run: ({ stream }) => stream.session?.close() },
  'client resets': { run: ({ client }) => client.reset() },
  'client leaves': { run: ({ client }) => client.close() },
  'client ends': { run: ({ client }) => client.halfClose() },
  'req.pause()': { run: ({ req }) => req.pause() },
  'req.pause(), resume later': {
    run ({ req }) {
      req.pause()
      setTimeout(() => req.resume(), 5)
    }
  },
  'req.resume()': { run: ({ req }) => req.resume() },
  'req.unpipe()': { run: ({ req }) => req.unpipe() },
  'req.setEncoding()': { run: ({ req }) => req.setEncoding('latin1') },
  "req.emit('aborted')": { run: ({ req }) => req.emit('aborted') },
  "req.emit('close')": { run: ({ req }) => req.emit('close') },
  "req.emit('error')": { run: ({ req, error }) => req.emit('error', error) },
  'res.end()': { run: ({ res }) => res.writableEnded || res.end('early') },
  throw: { run ({ error }) { throw error } }
}
