'use strict'

const { table } = require('../support/table')

const TEXT = { 'Content-Type': 'text/plain' }

function row (it, limit, size, expect, more) {
  return { it, parser: 'text', options: { limit }, headers: TEXT, body: 'x'.repeat(size), expect, ...more }
}

const fits = (it, limit, size, more) => row(it, limit, size, { body: 'x'.repeat(size) }, more)
const declared = (it, limit, size, bytes = limit) => row(it, limit, size, {
  error: { status: 413, type: 'entity.too.large', message: 'request entity too large', expected: size, length: size, limit: bytes }
})
const received = (it, limit, size, bytes = limit, more = {}) => row(it, limit, size, {
  error: { status: 413, type: 'entity.too.large', message: 'request entity too large', limit: bytes, length: undefined }
}, { chunked: true, arrivals: ['together'], ...more })

describe('limit', () => {
  table([
    fits('is 100 KiB', undefined, 102400), declared('is no more than 100 KiB', undefined, 102401, 102400),
    fits('is 100 KiB for null', null, 102400), declared('is no more for null', null, 102401, 102400),
    fits('is held exactly', 10, 10), declared('is held by length', 10, 11),
    fits('is held exactly in chunks', 10, 10, { chunked: true }), received('is held by bytes', 10, 11),
    received('counts what came in', 10, 20, 10, { arrivals: ['together', 'halves', 'bytes'] }),
    fits('may be 0', 0, 0), declared('of 0 refuses', 0, 1), fits('of 0 takes an empty chunked body', 0, 0, { chunked: true }),
    declared('may be negative', -1, 0), fits('of -1 takes an empty chunked body', -1, 0, { chunked: true }), received('of -1 refuses', -1, 1),
    fits('may be a fraction', 1.5, 1), declared('of 1.5 is under 2', 1.5, 2),
    fits('may be Infinity', Infinity, 300_000), fits('may be Infinity in chunks', Infinity, 300_000, { chunked: true }),
    fits('may be a string', '1kb', 1024), declared('of 1kb is 1024', '1kb', 1025, 1024), fits('may be in upper case', '1KB', 1024),
    fits('may have a blank', '1 kb', 1024), declared('may have decimals', '1.5kb', 1537, 1536), fits('may have a sign', '+1kb', 1024),
    declared('may be plain', '10', 11, 10), declared('may be in b', '10b', 11, 10), declared('stops at e', '1e3', 2, 1), declared('may have a blank before', ' 1kb', 2, 1),
    fits('may be in mb', '1mb', 300_000), fits('may be in gb', '1gb', 1), fits('may be in tb', '1tb', 1), fits('may be in pb', '1pb', 1),
    { it: 'applies to bytes, not characters', parser: 'text', options: { limit: 3 }, headers: TEXT, body: 'éé', expect: { error: { status: 413, length: 4 } } },
    { it: 'over it, verify is not called', parser: 'text', options: { limit: 3, verify () { throw new Error('no') } }, headers: TEXT, body: 'abcd', expect: { error: { status: 413 } } },
    { it: 'over it in chunks, verify is not called', parser: 'text', options: { limit: 3, verify () { throw new Error('no') } }, headers: TEXT, body: 'abcd', chunked: true, expect: { error: { status: 413 } } },
    { it: 'breaks off large bodies and reads the rest', parser: 'text', options: { limit: 1000 }, headers: TEXT, body: 'x'.repeat(3_000_000), expect: { error: { status: 413, length: 3_000_000 } } },
    { it: 'breaks off large chunked bodies and reads the rest', parser: 'text', options: { limit: 1000 }, headers: TEXT, body: 'x'.repeat(3_000_000), chunked: true, ignore: ['error'], expect: { error: { status: 413, limit: 1000 } } }
  ])
})
