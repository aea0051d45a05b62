'use strict'

const { table } = require('../support/table')

const BYTES = { 'Content-Type': 'application/octet-stream' }
const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

function row (it, body, expect, options, more) {
  return { it, parser: 'raw', options, headers: BYTES, body, expect, ...more }
}

describe('raw()', () => {
  table([
    row('gives the bytes', every, { body: every }),
    row('gives the bytes of a chunked body', every, { body: every }, {}, { chunked: true }),
    row('gives an empty Buffer', '', { body: Buffer.alloc(0) }),
    row('gives an empty Buffer for an empty chunked body', '', { body: Buffer.alloc(0) }, {}, { chunked: true }),
    row('keeps a byte order mark', '\ufeffa', { body: Buffer.from('\ufeffa') }),
    row('looks at no charset', every, { body: every }, {}, {
      headers: { 'Content-Type': 'application/octet-stream; charset=nonsense' }
    }),
    row('ignores defaultCharset', 'a', { body: Buffer.from('a') }, { defaultCharset: 'nonsense' }),
    row('takes other types', 'a', { body: Buffer.from('a') }, { type: '*/*' }, { headers: { 'Content-Type': 'image/png' } }),
    row('gives a large body', Buffer.alloc(300_000, 'abc'), { body: Buffer.alloc(300_000, 'abc') }, { limit: '1mb' })
  ])
})
