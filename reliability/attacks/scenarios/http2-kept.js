'use strict'

const { once } = require('node:events')
const http2 = require('node:http2')
const { collected } = require('./clients')

const COUNT = 2000
const AT_A_TIME = 50
const BODY = '0123456789'
const OURS = 'fast-body-parser'
const MEDIA_TYPE = 'application/octet-stream'

/** Bodies that an app keeps. */
function kept (name, what, settings, targets = [OURS, 'body-parser']) {
  return {
    name: `http2-kept-${name}`,
    what: `${COUNT} ${what} of ${BODY.length} bytes, kept by the app`,
    columns: ['KB of buffers', 'KB of heap'],
    rows: Object.fromEntries(targets.map((target) => [target, { target, isHttp2: true, ...settings }])),
    flags: ['--expose-gc'],
    async run (server) {
      await send(server.port, AT_A_TIME) // to warm up
      const before = await collected(server)
      await send(server.port, COUNT)
      const after = await collected(server)
      return ['buffers', 'heap'].map((name) => (after[name] - before[name]) / 1024)
    },
    faultsOf: ({ [OURS]: [buffers] }) => [buffers > COUNT * 200 / 1024 && 'kept bytes keep more memory alive']
  }
}

async function send (port, count) {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  for (let left = count; left > 0; left -= AT_A_TIME) {
    await Promise.all(Array.from({ length: Math.min(left, AT_A_TIME) }, async () => {
      const stream = session.request({ ':method': 'POST', 'content-type': MEDIA_TYPE })
      stream.end(BODY)
      stream.resume()
      await once(stream, 'close')
    }))
  }
  session.close()
  await once(session, 'close')
}

module.exports = [
  kept('body', 'bodies of raw', { parser: 'raw', keeps: 'body' }),
  kept('raw-body', 'rawBody of text',
    { parser: 'text', options: { type: MEDIA_TYPE, rawBody: true }, keeps: 'rawBody' }, [OURS]),
  kept('verify', 'arguments of verify', { parser: 'text', options: { type: MEDIA_TYPE }, keeps: 'verify' })
]
