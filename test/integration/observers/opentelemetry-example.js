'use strict'

// examples/opentelemetry.js, beside the packages that it needs.

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { InMemorySpanExporter } = require('@opentelemetry/sdk-trace-base')
const LocalServer = require('../../../tools/local-server')
const { createProject } = require('../support/program')
const { ROOT, remove } = require('../support/project')

const NAME = 'opentelemetry.js'
const ERROR = 2

/** Tells when a span has ended. */
class Exporter extends InMemorySpanExporter {
  ended = new EventEmitter()

  export (spans, callback) {
    super.export(spans, callback)
    for (const { name } of spans) this.ended.emit(name)
  }
}

describe('examples/opentelemetry.js', () => {
  const exporter = new Exporter()
  let folder
  let server
  let stop

  before(async () => {
    folder = await createProject()
    fs.copyFileSync(path.join(ROOT, 'examples', NAME), path.join(folder, NAME))
    const { app, startTracing } = require(path.join(folder, NAME))
    stop = startTracing(exporter)
    server = await LocalServer.open(app)
  })

  after(async () => {
    server.close()
    await stop()
    remove(folder)
  })

  /** The spans of one request, by name. */
  async function spansOf (body, headers) {
    exporter.reset()
    const ended = once(exporter.ended, 'POST /') // when the response is out
    const request = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    await (await fetch(`http://127.0.0.1:${server.port}/`, request)).text()
    await ended
    return Object.fromEntries(exporter.getFinishedSpans().map((span) => [span.name, span]))
  }

  it('makes a span for each body, within the active one, which it restores for the handler', async () => {
    for (const [body, headers, lane] of [['{"user":"tobi"}', {}, 'identity'],
      [zlib.gzipSync('{"user":"tobi"}'), { 'content-encoding': 'gzip' }, 'one-shot']]) {
      const { 'parse body': span, answer, 'POST /': parent } = await spansOf(body, headers)
      assert.deepEqual(span.attributes,
        { 'body.parser': 'json', 'body.lane': lane, 'body.bytes_in': body.length, 'body.bytes_decoded': 15 })
      assert.deepEqual([span.status.code, span.events.length], [0, 0])
      for (const { parentSpanContext } of [span, answer]) {
        assert.equal(parentSpanContext.spanId, parent.spanContext().spanId)
      }
    }
  })

  it('records an error for a body that is refused, and makes no span for one that is skipped', async () => {
    const { 'parse body': { attributes, events, status } } = await spansOf('{"user":')
    assert.deepEqual([status.code, attributes['error.type']], [ERROR, 'entity.parse.failed'])
    assert.match(status.message, /JSON/)
    assert.deepEqual(events.map(({ name }) => name), ['exception'])
    assert.deepEqual(Object.keys(await spansOf('x', { 'content-type': 'text/plain' })), ['answer', 'POST /'])
  })
})
