'use strict'

// A span of OpenTelemetry for each body, from the tracing channel: a child of
// the span that is active when the parser is called.

const { tracingChannel } = require('node:diagnostics_channel')
const { context, SpanStatusCode, trace } = require('@opentelemetry/api')
const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks')
const { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base')
const express = require('express')
const bodyParser = require('fast-body-parser')

/**
 * Makes a span of each body from now on.
 *
 * @param {import('@opentelemetry/api').Tracer} tracer
 * @returns {() => void} stops that
 */
function traceBodies (tracer) {
  const spans = new WeakMap() // by message: it is the same from start to end
  const subscribers = {
    start (message) {
      spans.set(message, tracer.startSpan('parse body', { attributes: { 'body.parser': message.parser } }))
    },
    error (message) {
      const { error } = message
      const span = spans.get(message)
      span?.recordException(error)
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      span?.setAttribute('error.type', error.type ?? error.name)
    },
    // Right before next. At asyncEnd, the handlers that next calls have run as well.
    asyncStart (message) {
      const { lane, bytesIn, bytesDecoded } = message
      const span = spans.get(message) // undefined if the subscription came after the start
      span?.setAttributes({ 'body.lane': lane, 'body.bytes_in': bytesIn, 'body.bytes_decoded': bytesDecoded })
      span?.end()
    }
  }
  const channel = tracingChannel('fast-body-parser')
  for (const [name, subscriber] of Object.entries(subscribers)) channel[name].subscribe(subscriber)
  return () => {
    for (const [name, subscriber] of Object.entries(subscribers)) channel[name].unsubscribe(subscriber)
  }
}

/** What @opentelemetry/sdk-node would do; gives what undoes it. */
function startTracing (exporter) {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  const stop = traceBodies(provider.getTracer('fast-body-parser'))
  return async () => {
    stop()
    trace.disable()
    context.disable()
    await provider.shutdown()
  }
}

const app = express()
app.disable('x-powered-by')

// As an instrumentation of HTTP does.
app.use((req, res, next) => {
  trace.getTracer('example').startActiveSpan(`${req.method} ${req.path}`, (span) => {
    res.on('finish', () => span.end())
    next()
  })
})
app.use(bodyParser.json({ limit: '10kb' }), bodyParser.urlencoded())
app.use((req, res) => {
  trace.getTracer('example').startActiveSpan('answer', (span) => {
    res.json({ body: req.body })
    span.end()
  })
})
app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = { app, startTracing, traceBodies }

if (require.main === module) {
  startTracing(new ConsoleSpanExporter())
  const server = app.listen(process.env.PORT || 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"user":"tobi"}'
  echo '{"user":"tobi"}' | gzip | curl ${url} --json @- -H 'Content-Encoding: gzip'
  curl ${url} --json '{"user":'`)
  })
}
