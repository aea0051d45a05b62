'use strict'

// Bodies over the limit, bodies that cost more than their size, and ordinary and slow uploads, many at a time.

const { randomBytes } = require('node:crypto')
const zlib = require('node:zlib')
const { attackOn, fill, MB } = require('./attack')

const TOO_LARGE = ['413 entity.too.large']
const CHUNK = 64 * 1024 // bytes

/** On a parser of 1 MB of bytes. */
function flood (name, what, expect, make, more) {
  return attackOn('raw', make, { name, what, expect, ...more })
}

const gzip = { 'Content-Encoding': 'gzip' }

module.exports = [
  flood('flood-declared', '64 MB with that Content-Length', TOO_LARGE,
    () => ({ pieces: Array(64).fill(fill('x')) })),
  flood('flood-chunked', '64 MB in chunks', TOO_LARGE,
    () => ({ pieces: Array(64).fill(fill('x')), chunk: CHUNK })),
  flood('flood-gzip', '64 MB of noise in gzip', TOO_LARGE,
    () => ({ headers: gzip, pieces: [zlib.gzipSync(randomBytes(64 * MB), { level: 0 })] })),
  flood('flood-endless', 'chunks for ever, requestTimeout 1 s', [...TOO_LARGE, '408', 'closed'],
    () => ({ pieces: [fill('x')], chunk: CHUNK, endless: true }),
    { server: { requestTimeout: 1000, connectionsCheckingInterval: 200 } }),
  flood('flood-crumbs', '1 MB in chunks of a byte', ['200'],
    () => ({ pieces: [fill('x')], chunk: 1 })),
  flood('flood-empty-members', '16 MB of gzip members that hold nothing', ['200'],
    () => ({ headers: gzip, pieces: Array(16).fill(fill(zlib.gzipSync(''), 20 * 50_000)) })),
  flood('uploads', '1 MB each', ['200'], () => ({ pieces: [fill('x')] })),
  flood('slow', 'a byte every 50 ms', ['200'], () => ({ pieces: Array(40).fill(fill('x', 1)), pause: 50 }),
    { rate: 200 }) // they wait, mostly
]
