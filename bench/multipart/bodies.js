'use strict'

// The forms that are sent, some of them made to be slow.

const { randomBytes } = require('node:crypto')

const KB = 1024
const MB = KB * KB
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

const part = (disposition, content) => Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const formOf = (...parts) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
const fileOf = (content) => formOf(part('name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream', content))
const fields = formOf(...Array.from({ length: 20 }, (_, i) => part(`name="field${i}"`, `value of field ${i}`)))
const PREFIX = `\r\n--${BOUNDARY.slice(0, -1)}`
const row = (size, content, chunk = 64 * KB) => [fileOf(typeof content === 'string' ? Buffer.alloc(size, content, 'latin1') : content(size)), chunk, Math.ceil(10 * MB / size / (chunk === 1 ? 160 : 1))]

/** A body whose boundary is chosen to be slow, too. */
function hostile (boundary, line) {
  const [content, , count] = row(MB, line)
  const type = `multipart/form-data; boundary=${boundary}`
  return [Buffer.from(content.latin1Slice().replaceAll(BOUNDARY, boundary), 'latin1'), 64 * KB, count, type]
}

const LETTERS = 'a'.repeat(70)

/** name -> [body, bytes per chunk, repetitions in a round, Content-Type if it is another one] */
const bodies = {
  '10 MB file': row(10 * MB, randomBytes),
  '20 fields': [fields, 64 * KB, 200],
  '1 MB random': row(MB, randomBytes),
  '1 MB of CRLFs': row(MB, '\r\n'),
  '1 MB of dashes': row(MB, '-'),
  '1 MB of prefixes': row(MB, PREFIX),
  '1 MB of boundaries and an X': row(MB, `\r\n--${BOUNDARY}X`),
  '1 MB of CRs, boundary of one letter': hostile('b', '\r'),
  '1 MB of letters, boundary of them': hostile(LETTERS, `\r\n--${LETTERS}X${'a'.repeat(60 * KB)}`),
  '64 KB random, by byte': row(64 * KB, randomBytes, 1),
  '64 KB of CRLFs, by byte': row(64 * KB, '\r\n', 1),
  '64 KB of dashes, by byte': row(64 * KB, '-', 1),
  '64 KB of prefixes, by byte': row(64 * KB, PREFIX, 1)
}

module.exports = { KB, MB, TYPE, bodies, fields, fileOf }
