'use strict'

const assert = require('node:assert/strict')
const { multipart } = require('../../../')
const { form, messages, shown, upload } = require('../../support/upload')

const text = (...lines) => Buffer.from(lines.join('\r\n'))
const header = (fields, value = 'x') => text('--b', fields, '', value, '--b--')
const many = (count, name = 'a', ...more) => form(...Array.from({ length: count }, () => [name, 'x', ...more]))

/** Files with their bytes as text. */
function plain (files) {
  return Object.fromEntries(Object.entries(files).map(([name, files]) =>
    [name, files.map(({ bytes, ...file }) => ({ ...file, bytes: bytes.toString() }))]))
}

const stored = (field, name, bytes, more) =>
  ({ field, name, folder: '', type: 'text/plain', size: Buffer.byteLength(bytes), bytes, ...more })
const invalid = (type, more) => ({ status: 400, type: `multipart.${type}`, ...more })
const tooMuch = (type, more) => ({ status: 413, type: `multipart.${type}`, ...more })

// [what, options, body, req.body, req.files]
const rows = [
  ['fields', {}, form(['a', '1'], ['b', 'é 論 😀']), { a: '1', b: 'é 論 😀' }, {}],
  ['no parts', {}, form(), {}, {}],
  ['empty values', {}, form(['a', '']), { a: '' }, {}],
  ['repeated names', {}, form(['a', '1'], ['a', '2'], ['b', '3'], ['a', '4']), { a: ['1', '2', '4'], b: '3' }, {}],
  ['names of inherited properties', {}, form(['toString', '1'], ['hasOwnProperty', '2'], ['constructor', '3']),
    { toString: '1', hasOwnProperty: '2', constructor: '3' }, {}],
  ['__proto__ within a name', {}, form(['a__proto__b', '1']), { a__proto__b: '1' }, {}],
  ['a byte order mark', {}, form(['a', '\uFEFFb']), { a: '\uFEFFb' }, {}],
  ['a charset of iconv-lite', {}, form(['a', Buffer.from([0x98, 0x5F]), undefined, 'text/plain; charset=shift_jis']),
    { a: '論' }, {}],
  ['the field _charset_', {},
    form(['_charset_', 'ISO-8859-1'], ['a', Buffer.from([0xE9])],
      ['b', Buffer.from('é'), undefined, 'text/plain;charset=utf-8']),
    { _charset_: 'ISO-8859-1', a: 'é', b: 'é' }, {}],
  ['a file', {}, form(['f', 'hello', 'x.png', 'image/png']), {},
    { f: [stored('f', 'x.png', 'hello', { type: 'image/png' })] }],
  ['a file without bytes', {}, form(['f', '', 'x.png', 'image/png']), {},
    { f: [stored('f', 'x.png', '', { type: 'image/png' })] }],
  ['a form control without a file', {}, form(['f', '', '', 'application/octet-stream'], ['a', '1']), { a: '1' }, {}],
  ['files of a folder', { files: { f: { max: 2 } } },
    form(['f', '1', 'photos/2024/june/a.jpg'], ['f', '2', '../C:\\b\\a.jpg']), {},
    { f: [stored('f', 'a.jpg', '1', { folder: 'photos/2024/june' }), stored('f', 'a.jpg', '2', { folder: 'b' })] }],
  ['bytes of a file without a name', {}, form(['f', 'hello', '']), {}, { f: [stored('f', '', 'hello')] }],
  ['several files', { files: { f: { max: 2 }, '*': {} } }, form(['f', '1', 'x'], ['g', '2', 'y'], ['f', '3', 'z']),
    {}, { f: [stored('f', 'x', '1'), stored('f', 'z', '3')], g: [stored('g', 'y', '2')] }],
  ['files with names of inherited properties', { files: { toString: {} } }, form(['toString', '1', 'x']), {},
    { toString: [stored('toString', 'x', '1')] }],
  ['media types that are expected', { files: { f: { max: 3, types: ['image/*', 'text/plain'] } } },
    form(['f', '1', 'x', 'image/png'], ['f', '2', 'y']), {},
    { f: [stored('f', 'x', '1', { type: 'image/png' }), stored('f', 'y', '2')] }],
  ['as much as the limits allow',
    {
      limit: 1000,
      fields: { max: 2, size: 3 },
      files: { f: { max: 2, size: '3b' } },
      parts: { max: 4, header: 70, name: 2 }
    },
    form(['ab', '123'], ['a', '1'], ['f', '123', 'x'], ['f', '123', 'y']), { ab: '123', a: '1' },
    { f: [stored('f', 'x', '123'), stored('f', 'y', '123')] }]
]

const NEVER = 'the boundary that Content-Type names never begins a line of the body; lines end with CRLF'
const CUT = 'the body ends before the last boundary'

// [what, options, body, error, what more its message says]
const faults = [
  ['no body', {}, Buffer.alloc(0), invalid('unterminated'), NEVER],
  ['another boundary', {}, Buffer.from(form(['a', '1']).toString().replaceAll('--b', '--c')), invalid('unterminated'),
    NEVER],
  ['a form that ends in the header of a part', {}, Buffer.from('--b\r\nContent-Disposition: form-data'),
    invalid('unterminated'), CUT],
  ['no last boundary', {}, form(['a', '1']).subarray(0, -4), invalid('unterminated', { field: 'a', part: 1 }), CUT],
  ['a file without a last boundary', {}, form(['f', '1', 'x']).subarray(0, -4),
    invalid('unterminated', { field: 'f', part: 1 }), CUT],
  ['no name', {}, header('Content-Disposition: form-data'), invalid('name.missing', { part: 1 })],
  ['an empty name', {}, form(['a', ''], ['', '1']), invalid('name.invalid', { field: '', part: 2 })],
  ['the name __proto__', {}, form(['__proto__', '1']), invalid('name.invalid', { field: '__proto__', part: 1 })],
  ['the name __proto__ in brackets', { extended: true }, form(['a[__proto__][b]', '1']),
    invalid('name.invalid', { field: 'a[__proto__][b]', part: 1 })],
  ['the name __proto__ in front of brackets', { extended: true }, form(['__proto__[a]', '1', 'x']),
    invalid('name.invalid', { field: '__proto__[a]', part: 1 })],
  ['a header over 16 KiB', {}, header(`X: ${'x'.repeat(16384)}`),
    invalid('header.too.large', { limit: 16384, part: 1 })],
  ['a header over the limit', { parts: { header: 30 } }, form(['a', '1']),
    invalid('header.too.large', { limit: 30, part: 1 })],
  ['a header over the limit in a part too many', { parts: { header: 50, max: 1 } },
    form(['a', '1'], ['b', '1', 'a long file name']), tooMuch('parts.too.many', { limit: 1, part: 2 })],
  ['headers that are large together', {},
    text(...Array(4).fill(`--b\r\nContent-Disposition: form-data; name=a\r\nX: ${'x'.repeat(12000)}\r\n\r\n1`), '--b--'),
    invalid('headers.too.large', { field: 'a', part: 2 }), 'those of the parts so far have too many bytes together'],
  ['too much white space after a boundary', {}, text(`--b${' '.repeat(300)}`, 'x'), invalid('boundary.invalid')],
  ['a charset that is unknown', {}, form(['a', '1', undefined, 'text/plain; charset=x']),
    { status: 415, type: 'charset.unsupported', field: 'a', part: 1 }],
  ['a _charset_ that is unknown', {}, form(['_charset_', 'x'], ['a', '1']),
    { status: 415, type: 'charset.unsupported', part: 2 }],
  ['a body over 1 MiB', {}, form(['f', Buffer.alloc(2 ** 20), 'x']),
    { status: 413, type: 'entity.too.large', limit: 2 ** 20, field: 'f', part: 1 }],
  ['a field over 100 KiB', {}, form(['a', Buffer.alloc(102401)]),
    tooMuch('field.too.large', { limit: 102400, field: 'a', part: 1 })],
  ['more than 100 fields', {}, many(101), tooMuch('fields.too.many', { limit: 100, field: 'a', part: 101 })],
  ['more than 10 files', {}, many(11, 'a', 'x'), tooMuch('files.too.many', { limit: 10, field: 'a', part: 11 })],
  ['more files of any name than the limit', { files: { '*': {} } }, form(['a', '1', 'x'], ['b', '2', 'y']),
    tooMuch('files.too.many', { limit: 1, field: 'b', part: 2 })],
  ['more files of one name than the limit', { files: { a: {}, '*': {} } }, form(['a', '1', 'x'], ['a', '2', 'y']),
    tooMuch('files.too.many', { limit: 1, field: 'a', part: 2 })],
  ['a file over the limit', { files: { a: { size: 2 } } }, form(['a', '123', 'x']),
    tooMuch('file.too.large', { limit: 2, field: 'a', part: 1 })],
  ['a file that is not expected', { files: { a: {} } }, form(['b', '123', 'x']),
    invalid('file.unexpected', { field: 'b', part: 1 })],
  ['any file', { files: false }, form(['b', '123', '']), invalid('file.unexpected', { field: 'b', part: 1 })],
  ['a file of another type', { files: { a: { types: ['image/*', 'text/html'] } } },
    form(['a', '123', 'x', 'text/plain']),
    { status: 415, type: 'multipart.file.type.unsupported', field: 'a', part: 1 },
    '"text/plain" is not one of image/*, text/html'],
  ['a file of a type that begins like one that is expected', { files: { a: { types: ['text/html'] } } },
    form(['a', '123', 'x', 'text/htmlx']),
    { status: 415, type: 'multipart.file.type.unsupported', field: 'a', part: 1 },
    '"text/htmlx" is not one of text/html'],
  ['a file of types that begin like those that are expected', { files: { a: { types: ['image/*'] } } },
    form(['a', '123', 'x', 'images/png']),
    { status: 415, type: 'multipart.file.type.unsupported', field: 'a', part: 1 },
    '"images/png" is not one of image/*'],
  ['more than 200 parts', { fields: { max: Infinity }, parts: { max: 200 } }, many(201),
    tooMuch('parts.too.many', { limit: 200, part: 201 })],
  ['a name over 200 bytes', {}, form(['é'.repeat(101), '1']),
    tooMuch('name.too.long', { limit: 200, field: 'é'.repeat(101), part: 1 })]
]

describe('multipart', () => {
  for (const [index, [what, options, body, fields, files]] of rows.entries()) {
    it(`reads ${what}`, async () => {
      const parser = multipart(options)
      for (const [way, pieces, message] of messages(body, index)) {
        const seen = await upload(parser, pieces, message)
        assert.deepEqual([seen.error, seen.calls, seen.body, plain(seen.files)], [undefined, 1, fields, files], way)
      }
    })
  }

  for (const [index, [what, options, body, error, more]] of faults.entries()) {
    it(`refuses ${what}`, async () => {
      const parser = multipart(options)
      for (const [way, pieces, message] of messages(body, index)) {
        const seen = await upload(parser, pieces, message)
        assert.deepEqual([shown(seen.error), seen.calls, seen.body, seen.files], [error, 1, undefined, undefined], way)
        assert.equal(seen.error.expose, true)
        const [kind, ...words] = error.type.split('.')
        const rest = error.field?.length > 100 ? '...' : ''
        const place = error.field === undefined ? '' : ` (field ${JSON.stringify(error.field.slice(0, 100))}${rest})`
        const limit = error.limit === undefined
          ? ''
          : /: at (most|least) [\d.]+( bytes?| [KM]B)?$/.exec(seen.error.message)[0]
        if (kind === 'multipart') {
          assert.equal(seen.error.message,
            `multipart: ${words.join(' ')}${place}${limit}${more === undefined ? '' : `: ${more}`}`)
        }
      }
    })
  }
})
