'use strict'

const { context, trace } = require('@opentelemetry/api')
const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks')
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base')

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
for (const instrumentation of [new HttpInstrumentation(), new ExpressInstrumentation()]) {
  instrumentation.setTracerProvider(provider)
}

require('./serve')({
  look: () => trace.getActiveSpan()?.name,
  read () {
    const spans = exporter.getFinishedSpans()
    exporter.reset()
    const names = Object.fromEntries(spans.map((span) => [span.spanContext().spanId, span.name]))
    return spans.map(({ name, parentSpanContext, status }) => ({
      name,
      parent: names[parentSpanContext?.spanId] ?? null,
      status: status.code
    }))
  }
})
