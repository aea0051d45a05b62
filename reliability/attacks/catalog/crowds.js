'use strict'

// Many at once. The loop spends half of a crowd's time in Node's own server.

const attackOn = require('./attack')
const { fill, MB } = require('./fill')

const CROWD = 1000
const LIMIT = 100 * 1024 // bytes

/** On a parser of bytes. */
function crowd (name, what, limit, expect, legal, message, more) {
  return attackOn('raw', () => message, { name, what, options: { limit }, expect, legal, crowd: CROWD, laps: 3, ...more })
}

module.exports = [
  crowd('uploads', '1,000 at once, 1 MB each', MB, ['200'], 'bare', { pieces: [fill('x', MB)] }),
  crowd('uploads-declared', 'the same over a limit of 100 KB', LIMIT, ['413 entity.too.large'], 'discard',
    { pieces: [fill('x', MB)] }),
  crowd('uploads-chunked', 'the same in chunks', LIMIT, ['413 entity.too.large'], 'discard',
    { pieces: [fill('x', MB)], chunk: 64 * 1024 }),
  crowd('slow', '1,000 at once, a byte every 50 ms', LIMIT, ['200'], 'discard',
    { pieces: Array(40).fill(fill('x', 1)), pause: 50 }, { laps: 2 }),
  crowd('slow-endless', 'the same without end, requestTimeout 1 s', LIMIT, ['408', 'closed'], 'discard',
    { pieces: Array(60).fill(fill('x', 1)), chunk: 1, pause: 50, endless: true },
    { laps: 2, server: { requestTimeout: 1000, connectionsCheckingInterval: 200 } })
]
