'use strict'

const assert = require('node:assert/strict')
const diagnostics = require('node:diagnostics_channel')

const path = require.resolve('../../lib/channel')

/** lib/channel.js as it is loaded where Node's tracing channels are these. */
function loadWith (tracingChannel) {
  const { tracingChannel: original } = diagnostics
  const loaded = require.cache[path]
  delete require.cache[path]
  diagnostics.tracingChannel = tracingChannel
  try {
    return require(path)
  } finally {
    diagnostics.tracingChannel = original
    require.cache[path] = loaded
  }
}

describe('channel', () => {
  // before Node 20.13
  it('sees for itself who subscribes, where tracing channels cannot tell', () => {
    const real = diagnostics.tracingChannel('fast-body-parser')
    const { start, end, asyncStart, asyncEnd, error } = real
    const { refuse, watch } = loadWith((name) => {
      assert.equal(name, 'fast-body-parser')
      return { start, end, asyncStart, asyncEnd, error, traceCallback: real.traceCallback.bind(real) }
    })
    const seen = []
    const once = () => {
      refuse({}, {}, (error) => seen.push(`next ${error}`), 'json', 'no')
      watch({ next: (...args) => seen.push(`next of ${args.length}`), received: 1 }, 'json', (exchange) => exchange.next())
    }
    once()
    for (const part of [start, end, asyncStart, asyncEnd, error]) {
      const listener = ({ parser, error }) => seen.push(`${parser} ${error}`)
      part.subscribe(listener)
      once()
      part.unsubscribe(listener)
      seen.push('-')
    }
    once()
    const plain = ['next no', 'next of 0']
    assert.deepEqual(seen, [
      ...plain,
      'json undefined', 'next no', 'json undefined', 'next of 0', '-',
      'next no', 'json no', 'next of 0', 'json undefined', '-',
      'json no', 'next no', 'json undefined', 'next of 0', '-',
      'next no', 'json no', 'next of 0', 'json undefined', '-',
      'json no', 'next no', 'next of 0', '-',
      ...plain
    ])
  })
})
