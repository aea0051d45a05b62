'use strict'

const { table } = require('../support/table')

const TEXT = { 'Content-Type': 'text/plain' }

const large = 'x'.repeat(300_000)
const refused = { error: { status: 413 } }
const verify = () => { throw new Error('no') }

function row (it, limit, body, expect, more) {
  return { it, parser: 'text', options: { limit }, headers: TEXT, body, expect, ...more }
}

const fits = (it, limit, size, more) => row(it, limit, 'x'.repeat(size), { body: 'x'.repeat(size) }, more)
const declared = (it, limit, size, bytes = limit) => row(it, limit, 'x'.repeat(size), {
  error: {
    status: 413,
    type: 'entity.too.large',
    message: 'request entity too large',
    expected: size,
    length: size,
    limit: bytes
  }
})
const received = (it, limit, size, bytes = limit, more = {}) => row(it, limit, 'x'.repeat(size), {
  error: { status: 413, type: 'entity.too.large', message: 'request entity too large', limit: bytes, length: undefined }
}, { chunked: true, arrivals: ['together'], ...more })

describe('option limit', () => {
  table([
    fits('is 100 KiB by default', undefined, 102400),
    declared('refuses a declared length over 100 KiB by default', undefined, 102401, 102400),
    fits('is 100 KiB if it is null', null, 102400),
    declared('refuses a declared length over 100 KiB if it is null', null, 102401, 102400),
    fits('accepts a body of exactly that length', 10, 10),
    declared('refuses a declared length of one byte more', 10, 11),
    fits('accepts a chunked body of exactly that length', 10, 10, { chunked: true }),
    received('refuses a chunked body of one byte more', 10, 11),
    received('reports how many bytes of a chunked body were received', 10, 20, 10,
      { arrivals: ['together', 'halves', 'bytes'], dependsOnCuts: true }),
    fits('accepts an empty body with 0', 0, 0), declared('refuses one byte with 0', 0, 1),
    fits('accepts an empty chunked body with 0', 0, 0, { chunked: true }),
    declared('refuses even an empty body with -1', -1, 0),
    fits('accepts an empty chunked body with -1', -1, 0, { chunked: true }),
    received('refuses one chunked byte with -1', -1, 1),
    fits('accepts one byte with 1.5', 1.5, 1), declared('refuses two bytes with 1.5', 1.5, 2),
    fits('accepts any length with Infinity', Infinity, 300_000),
    fits('accepts any chunked body with Infinity', Infinity, 300_000, { chunked: true }),
    fits('accepts 1024 bytes with 1kb', '1kb', 1024), declared('refuses 1025 bytes with 1kb', '1kb', 1025, 1024),
    fits('reads units in upper case', '1KB', 1024),
    fits('reads a space before the unit', '1 kb', 1024), declared('reads decimals before a unit', '1.5kb', 1537, 1536),
    fits('reads a sign', '+1kb', 1024),
    declared('reads a string without a unit as bytes', '10', 11, 10), declared('reads the unit b', '10b', 11, 10),
    declared('reads 1e3 as one byte', '1e3', 2, 1),
    declared('reads a string with a leading space as bytes', ' 1kb', 2, 1),
    fits('reads the unit mb', '1mb', 300_000), fits('reads the unit gb', '1gb', 1), fits('reads the unit tb', '1tb', 1),
    fits('reads the unit pb', '1pb', 1),
    row('counts bytes, not characters', 3, 'éé', { error: { status: 413, length: 4 } }),
    row('is checked before verify is called', 3, 'abcd', refused, { options: { limit: 3, verify } }),
    row('is checked before verify is called, for a chunked body', 3, 'abcd', refused,
      { options: { limit: 3, verify }, chunked: true }),
    row('reads off the rest of a large body that it refuses', 1000, large, { error: { status: 413, length: 300_000 } }),
    row('reads off the rest of a large chunked body that it refuses', 1000, large,
      { error: { status: 413, limit: 1000 } }, { chunked: true, ignore: ['error'] })
  ])
})
