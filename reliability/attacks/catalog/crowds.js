'use strict'

// Ordinary and slow uploads, many at a time.

const attackOn = require('./attack')
const { fill, MB } = require('./fill')

const LIMIT = 100 * 1024 // bytes
const SLOW = 200 // requests per second, which wait, mostly

/** On a parser of bytes. */
function crowd (name, what, limit, expect, message, more) {
  return attackOn('raw', () => message, { name, what, options: { limit }, expect, ...more })
}

module.exports = [
  crowd('uploads', '1 MB each', MB, ['200'], { pieces: [fill('x')] }),
  crowd('uploads-declared', 'the same over a limit of 100 KB', LIMIT, ['413 entity.too.large'],
    { pieces: [fill('x')] }),
  crowd('uploads-chunked', 'the same in chunks', LIMIT, ['413 entity.too.large'],
    { pieces: [fill('x')], chunk: 64 * 1024 }),
  crowd('slow', 'a byte every 50 ms', LIMIT, ['200'], { pieces: Array(40).fill(fill('x', 1)), pause: 50 },
    { rate: SLOW }),
  crowd('slow-endless', 'the same without end, requestTimeout 1 s', LIMIT, ['408', 'closed'],
    { pieces: Array(60).fill(fill('x', 1)), chunk: 1, pause: 50, endless: true },
    { rate: SLOW, server: { requestTimeout: 1000, connectionsCheckingInterval: 200 } })
]
