'use strict'

// Forms that nobody has thought of, written by a generator of its own.

const { createRandom, pick, randomInt } = require('../../tools/random')

const NAMES = ['a', 'b', 'é', '論文', '😀', '"', '\r\n', ' ', ';', '=', '%', "'", ':', '[', ']', '/', 'name']
const CONTENTS = [
  '\r', '\n', '\r\n', '-', '--', ' ', '\t', 'x', 'é', '\0', '\xFF', 'Content-Disposition: form-data; name=z',
  '\r\n\r\n'
]

/**
 * @param {number} seed
 * @returns {{ boundary: string, body: Buffer, parts: Array<{ field: string, name?: string, type: string, bytes:
 *   Buffer }>, pieces: Buffer[] }}
 */
function randomForm (seed) {
  const random = createRandom(seed)
  const below = (limit) => randomInt(limit, random)
  const some = (items, most) => Array.from({ length: below(most) }, () => pick(items, random)).join('')
  const boundary = some(["'", '(', ')', '+', '_', ',', '-', '.', '/', ':', '=', '?', ' ', '0', 'aB', '--'], 20) + 'z'
  const hostile = [
    ...CONTENTS, `\r\n--${boundary}x`, `\r\n--${boundary}-`, `\r\n--${boundary}--x`, `\r\n--${boundary} x`,
    `\r\n--${boundary.slice(0, below(boundary.length))}`, `--${boundary}`
  ]
  const escape = (name) => name.replaceAll('\r\n', '%0D%0A').replaceAll('"', '%22')
  const lines = []
  const parts = []
  if (below(4) === 0) lines.push(`preamble\r\n--${boundary}x`, '\r\n')
  for (let count = below(8); count > 0; count--) {
    const part = { field: `n${some(NAMES, 6)}`, type: ['text/plain', 'image/png'][below(2)] }
    const text = below(20) === 0 ? some(hostile, 3000) : some(hostile, 12)
    const isFile = below(2) === 0
    part.bytes = isFile && below(2) === 0 ? Buffer.from(text, 'latin1') : Buffer.from(text)
    if (isFile) part.name = `f${some(NAMES, 6)}`
    if (isDelimiter(part.bytes, boundary)) continue
    parts.push(part)
    lines.push(
      `--${boundary}${some([' ', '\t'], below(3))}\r\n`,
      below(2) === 0 ? 'X-Other: x\r\n' : '',
      `Content-Disposition: form-data; name="${escape(part.field)}"`,
      isFile ? `; filename="${escape(part.name)}"\r\n` : '\r\n',
      part.type === 'text/plain' && below(2) === 0 ? '' : `Content-Type: ${part.type}\r\n`,
      '\r\n', part.bytes, '\r\n')
  }
  lines.push(`--${boundary}--`, ['', '\r\n', ' \r\n', '\r\nepilogue', `\r\n--${boundary}\r\n`][below(5)])
  const body = Buffer.concat(lines.map((line) => Buffer.from(line)))
  const pieces = []
  const most = [1, 8, 100, 65536][below(4)]
  for (let at = 0; at < body.length;) pieces.push(body.subarray(at, at += 1 + below(most)))
  return { boundary, body, parts, pieces }
}

/** Whether the content has a line that ends the part. NULs may follow the last boundary. */
function isDelimiter (bytes, boundary) {
  const text = `\r\n${bytes.toString('latin1')}\r\n`
  for (let at = text.indexOf(`\r\n--${boundary}`); at !== -1; at = text.indexOf(`\r\n--${boundary}`, at + 1)) {
    if (/^(?:(?:--)?[\t ]*\r\n|--[\t ]*\0)/.test(text.slice(at + boundary.length + 4))) return true
  }
  return false
}

/** Whether a parser has read back exactly what was written: the fields and files of each name, in order. */
function expectedOf (parts) {
  const body = {}
  const files = {}
  for (const { field, name, type, bytes } of parts) {
    if (name === undefined) (body[field] ??= []).push(bytes.toString())
    else {
      (files[field] ??= []).push({
        name: name.replaceAll('\r\n', '').split('/').at(-1),
        type,
        hex: bytes.toString('hex')
      })
    }
  }
  return { body, files }
}

module.exports = { expectedOf, randomForm }
