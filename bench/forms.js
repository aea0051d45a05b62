'use strict'

// The forms that are sent, some of them made to be slow.

const { randomBytes } = require('node:crypto')

const KB = 1024
const MB = KB * KB
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
const PREFIX = `\r\n--${BOUNDARY.slice(0, -1)}`
const LETTERS = 'a'.repeat(70)

const typeWith = (boundary) => `multipart/form-data; boundary=${boundary}`

function part (disposition, content, boundary) {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}

const formOf = (parts, boundary) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])

function fileOf (content, boundary = BOUNDARY) {
  const disposition = 'name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream'
  return formOf([part(disposition, content, boundary)], boundary)
}

const twenty = Array.from({ length: 20 }, (_, i) => part(`name="field${i}"`, `value of field ${i}`, BOUNDARY))
const fields = formOf(twenty, BOUNDARY)
const random = (size, chunk) => ({ body: fileOf(randomBytes(size)), chunk })
const repeated = (text, { size = MB, chunk, boundary } = {}) => {
  return { body: fileOf(Buffer.alloc(size, text), boundary), chunk, boundary }
}
const hundred = (more, value = 'x') => {
  const parts = Array.from({ length: 100 }, (_, i) => part(`name="field${i}"${more}`, value, BOUNDARY))
  return { body: formOf(parts, BOUNDARY) }
}
const BY_BYTE = { size: 64 * KB, chunk: 1 }

/** @type {Record<string, { body: Buffer, chunk?: number, boundary?: string }>} `chunk`: bytes, 64 KB by default */
const bodies = {
  '10 MB file': random(10 * MB),
  '20 fields': { body: fields },
  '1 MB random': random(MB),
  '1 MB of CRLFs': repeated('\r\n'),
  '1 MB of dashes': repeated('-'),
  '1 MB of prefixes': repeated(PREFIX),
  '1 MB of boundaries and an X': repeated(`\r\n--${BOUNDARY}X`),
  '1 MB of CRs, boundary of one letter': repeated('\r', { boundary: 'b' }),
  '1 MB of letters, boundary of them': repeated(`\r\n--${LETTERS}X${'a'.repeat(60 * KB)}`, { boundary: LETTERS }),
  '100 fields of 300 bytes': hundred('', 'x'.repeat(300)),
  '100 fields, 30 parameters each': hundred(';x=y'.repeat(30)),
  '100 fields, 30 extended parameters each': hundred(";x*=big5''%41".repeat(30)),
  '100 fields, 30 lines each': hundred('\r\na:'.repeat(30)),
  '64 KB random, by byte': random(64 * KB, 1),
  '64 KB of CRLFs, by byte': repeated('\r\n', BY_BYTE),
  '64 KB of dashes, by byte': repeated('-', BY_BYTE),
  '64 KB of prefixes, by byte': repeated(PREFIX, BY_BYTE)
}

module.exports = { BOUNDARY, KB, MB, bodies, fields, fileOf, typeWith }
