'use strict'

// examples/opentelemetry.js, beside the packages that it needs.

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const zlib = require('node:zlib')
const { InMemorySpanExporter } = require('@opentelemetry/sdk-trace-base')
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
    server = http.createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  after(async () => {
    server.close()
    server.closeAllConnections()
    await stop()
    remove(folder)
  })

  /** The spans of one request, by name. */
  async function spansOf (body, headers) {
    exporter.reset()
    const ended = once(exporter.ended, 'POST /') // when the response is out
    const request = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    await (await fetch(`http://127.0.0.1:${server.address().port}/`, request)).text()
    await ended
    return Object.fromEntries(exporter.getFinishedSpans().map((span) => [span.name, span]))
  }

  const names = () => exporter.getFinishedSpans().map(({ name }) => name)

  it('makes a span for each body', async () => {
    for (const [body, headers, lane] of [['{"user":"tobi"}', {}, 'identity'],
      [zlib.gzipSync('{"user":"tobi"}'), { 'content-encoding': 'gzip' }, 'one-shot']]) {
      const { 'parse body': span, 'POST /': parent } = await spansOf(body, headers)
      assert.deepEqual(span.attributes,
        { 'body.parser': 'json', 'body.lane': lane, 'body.bytes_in': body.length, 'body.bytes_decoded': 15 })
      assert.deepEqual([span.status.code, span.events.length], [0, 0])
      assert.equal(span.parentSpanContext.spanId, parent.spanContext().spanId)
    }
  })

  it('restores the active span for the handler', async () => {
    const { answer, 'POST /': parent } = await spansOf('{}')
    assert.equal(answer.parentSpanContext.spanId, parent.spanContext().spanId)
    assert.deepEqual(names(), ['parse body', 'answer', 'POST /'])
  })

  it('records an error for a body that is refused', async () => {
    for (const [body, type, message, lane] of [['{"user":', 'entity.parse.failed', /JSON/, 'identity'],
      ['x'.repeat(20_000), 'entity.too.large', /too large/, 'none']]) {
      const { 'parse body': span } = await spansOf(body)
      assert.equal(span.status.code, ERROR)
      assert.match(span.status.message, message)
      assert.equal(span.attributes['error.type'], type)
      assert.equal(span.attributes['body.lane'], lane)
      assert.deepEqual(span.events.map(({ name }) => name), ['exception'])
    }
  })

  it('makes no span for a body that is skipped', async () => {
    await spansOf('x', { 'content-type': 'text/plain' })
    assert.deepEqual(names(), ['answer', 'POST /'])
  })
})
