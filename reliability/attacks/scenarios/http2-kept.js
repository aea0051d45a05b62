'use strict'

const { once } = require('node:events')
const http2 = require('node:http2')
const withProcesses = require('./processes')

const COUNT = 2000
const AT_A_TIME = 50
const BODY = '0123456789'

/** Bodies that an app keeps: as `raw` gives them, as `rawBody`, as `verify` gets them. */
function kept (name, what, settings) {
  return {
    name: `http2-kept-${name}`,
    what: `${COUNT} ${what} of ${BODY.length} bytes, kept by the app`,
    columns: ['KB of buffers', 'KB of heap'],
    rows: settings.keeps === 'rawBody' ? ['fast-body-parser'] : ['fast-body-parser', 'body-parser'],
    measure: (target, { parser: folder }) => withProcesses(async (processes) => {
      const server = await processes.serve({ target, package: folder, isHttp2: true, ...settings }, { flags: ['--expose-gc'] })
      await send(server.port, AT_A_TIME) // to warm up
      await server.ask('collect')
      const before = await server.ask('sample')
      await send(server.port, COUNT)
      await server.ask('collect')
      const after = await server.ask('sample')
      return ['buffers', 'heap'].map((name) => (after[name] - before[name]) / 1024)
    }),
    faultsOf: ({ 'fast-body-parser': [buffers] }) => buffers > COUNT * 200 / 1024 ? ['kept bytes keep more memory alive'] : []
  }
}

async function send (port, count) {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  for (let left = count; left > 0; left -= AT_A_TIME) {
    await Promise.all(Array.from({ length: Math.min(left, AT_A_TIME) }, async () => {
      const stream = session.request({ ':method': 'POST', 'content-type': 'application/octet-stream' })
      stream.end(BODY)
      stream.resume()
      await once(stream, 'close')
    }))
  }
  session.close()
  await once(session, 'close')
}

module.exports = [
  kept('body', 'bodies of raw', { parser: 'raw', options: {}, keeps: 'body' }),
  kept('raw-body', 'rawBody of text', { parser: 'text', options: { type: 'application/octet-stream', rawBody: true }, keeps: 'rawBody' }),
  kept('verify', 'arguments of verify', { parser: 'text', options: { type: 'application/octet-stream' }, keeps: 'verify' })
]
