'use strict'

const { table } = require('../support/table')

function row (it, body, expect, options, more) {
  return { it, parser: 'text', options, headers: { 'Content-Type': 'text/plain' }, body, expect, ...more }
}

describe('text()', () => {
  table([
    row('gives a string', 'user is tobi', { body: 'user is tobi' }),
    row('gives a string for a chunked body', 'user is tobi', { body: 'user is tobi' }, {}, { chunked: true }),
    row('puts an empty string into req.body for an empty body', '', { body: '' }),
    row('puts an empty string into req.body for a lone byte order mark', '\ufeff', { body: '' }),
    row('removes one byte order mark', '\ufeff\ufeffa', { body: '\ufeffa' }),
    row('keeps characters whole over chunks', 'é€😀論', { body: 'é€😀論' }),
    row('replaces invalid UTF-8', Buffer.from('61ff62c3', 'hex'), { body: 'a\ufffdb\ufffd' }),
    row('replaces a character that is cut off', Buffer.from('61f09f98', 'hex'), { body: 'a\ufffd' }),
    row('replaces encoded surrogates', Buffer.from('eda080edb080', 'hex'), undefined),
    row('replaces overlong forms', Buffer.from('c080e08080f8888080', 'hex'), undefined),
    row('accepts the media types of the option type', '<p>', { body: '<p>' }, { type: 'text/html' },
      { headers: { 'Content-Type': 'text/html' } }),
    row('parses a large text', 'é'.repeat(100_000), { body: 'é'.repeat(100_000) }, { limit: '1mb' })
  ])
})
