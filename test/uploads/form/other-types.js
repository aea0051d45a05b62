'use strict'

// Bodies of other multipart types than form-data, which only a loop over the parts reads; and
// the fields of part headers.

const assert = require('node:assert/strict')
const { text } = require('node:stream/consumers')
const { multipart } = require('../../../')
const { form, iterate, upload } = require('../../support/upload')

/** @param {Array<[header: string[], content: string | Buffer]>} parts */
function bodyOf (...parts) {
  const pieces = parts.flatMap(([lines, content]) =>
    [`--b\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`, content, '\r\n'])
  return Buffer.concat([...pieces, '--b--\r\n'].map((piece) => Buffer.from(piece)))
}

/** @returns {Promise<{ error: any, parts: object[] }>} what a loop sees */
async function partsOf (type, body, options = {}) {
  const parts = []
  const reading = iterate(multipart(options), async (loop) => {
    for await (const part of loop) {
      assert.equal(Object.getPrototypeOf(part.headers), null)
      const content = 'value' in part ? { value: part.value, bytes: part.bytes.length } : { text: await text(part) }
      parts.push({ field: part.field, name: part.name, type: part.type, headers: { ...part.headers }, ...content })
    }
  })
  const { error } = await upload(reading, body, { headers: { 'Content-Type': type } })
  return { error, parts }
}

/** A part as the loop gives it that is not a file. */
const plain = (headers, value, more) => ({
  field: '',
  name: undefined,
  type: 'text/plain',
  headers,
  value,
  bytes: Buffer.byteLength(value),
  ...more
})

const fileOf = (headers, content, more) => ({
  field: '',
  name: '',
  type: 'text/plain',
  headers,
  text: content,
  ...more
})

describe('parts of other multipart types', () => {
  // [what, type, body, parts]
  const rows = [
    ['related parts, in base64 as they were sent', 'multipart/related; type="application/json"; boundary="b"', bodyOf(
      [['Content-Type: application/json; charset=UTF-8', 'CONTENT-ID:<2>  '], '{"name":"é"}'],
      [['Content-Type: image/png', 'Content-Transfer-Encoding: base64'], 'iVBORw==']
    ), [
      plain({ 'content-type': 'application/json; charset=UTF-8', 'content-id': '<2>' }, '{"name":"é"}',
        { type: 'application/json' }),
      plain({ 'content-type': 'image/png', 'content-transfer-encoding': 'base64' }, 'iVBORw==', { type: 'image/png' })
    ]],
    ['parts without a header', 'multipart/parallel; boundary=b', bodyOf([[], 'x'], [[], '']),
      [plain({}, 'x'), plain({}, '')]],
    ['names, where there are some', 'MULTIPART/Mixed; boundary=b',
      bodyOf([['Content-Disposition: form-data; name="a"'], '1'], [['Content-Disposition: inline; name=""'], '2']), [
        plain({ 'content-disposition': 'form-data; name="a"' }, '1', { field: 'a' }),
        plain({ 'content-disposition': 'inline; name=""' }, '2')
      ]],
    ['attachments as files', 'multipart/mixed; boundary=b', bodyOf(
      [['Content-Disposition: attachment; filename="a/b.txt"'], 'x'],
      [['Content-Disposition: Attachment'], 'y'],
      [['Content-Disposition: inline; filename=""'], 'z'],
      [['Content-Disposition: inline; filename=""'], ''],
      [['Content-Disposition: attachment; filename*=utf-8\'\'%C3%A9'], '']
    ), [
      fileOf({ 'content-disposition': 'attachment; filename="a/b.txt"' }, 'x', { name: 'b.txt' }),
      fileOf({ 'content-disposition': 'Attachment' }, 'y'),
      fileOf({ 'content-disposition': 'inline; filename=""' }, 'z'),
      fileOf({ 'content-disposition': 'inline; filename=""' }, ''),
      fileOf({ 'content-disposition': 'attachment; filename*=utf-8\'\'%C3%A9' }, '', { name: 'é' })
    ]],
    ['fields in several lines, and those that occur twice', 'multipart/mixed; boundary=b', bodyOf(
      [
        ['Content-Type: text/html;', '\tcharset=iso-8859-1', 'X: 1', 'x: 2', '__proto__: 3', 'Y:', 'constructor: 4'],
        Buffer.from('é', 'latin1')
      ]
    ), [{
      ...plain({}, 'é', { type: 'text/html', bytes: 1 }),
      headers: {
        'content-type': 'text/html;\tcharset=iso-8859-1',
        x: '1, 2',
        ['__proto__']: '3',
        y: '',
        constructor: '4'
      }
    }]],
    ['fields in the charset of the body', 'multipart/mixed; charset=windows-1251; boundary=b',
      bodyOf([[], 'x']).toString().replace('--b\r\n', '--b\r\nX: \xE4\r\n'), [plain({ x: 'д' }, 'x')]]
  ]
  for (const [what, type, body, expected] of rows) {
    it(`gives ${what}`, async () => {
      const { error, parts } = await partsOf(type, Buffer.from(body, 'latin1'))
      assert.equal(error, undefined)
      assert.deepEqual(parts, expected)
    })
  }

  it('gives the fields of each part of a form as well', async () => {
    const { parts } = await partsOf('multipart/form-data; boundary=b', form(['a', '1'], ['f', 'x', 'n', 'image/png']))
    assert.deepEqual(parts.map(({ headers }) => headers), [
      { 'content-disposition': 'form-data; name="a"' },
      { 'content-disposition': 'form-data; name="f"; filename="n"', 'content-type': 'image/png' }
    ])
  })

  // [what, type, header lines, error]
  const wrong = [
    ['a part of a form without a name', 'multipart/form-data; boundary=b', ['X: 1'], 'multipart.disposition.invalid'],
    ['two types', 'multipart/mixed; boundary=b', ['Content-Type: a/b', 'Content-Type: a/b'],
      'multipart.header.repeated'],
    ['an empty disposition', 'multipart/mixed; boundary=b', ['Content-Disposition:'], 'multipart.disposition.invalid'],
    ['a name that reaches a prototype', 'multipart/mixed; boundary=b', ['Content-Disposition: inline; name=__proto__'],
      'multipart.name.invalid'],
    ['no boundary', 'multipart/mixed', [], 'multipart.boundary.missing']
  ]
  for (const [what, type, lines, expected] of wrong) {
    it(`refuses ${what}`, async () => {
      const { error, parts } = await partsOf(type, bodyOf([lines, 'x']))
      assert.deepEqual([error.status, error.type, parts], [400, expected, []])
    })
  }

  it('refuses what is over the limits', async () => {
    const body = bodyOf([['Content-Disposition: attachment'], 'x'], [[], '1'], [[], '22'])
    const { error } = await partsOf('multipart/mixed; boundary=b', body, { fields: { max: 1 } })
    assert.equal(error.type, 'multipart.fields.too.many')
  })

  // [what, option type, type of the request, error]
  for (const [what, type, sent, expected] of [
    ['forms alone, if the option lists that', ['multipart/form-data'], 'multipart/related; boundary=b',
      'media.type.unsupported'],
    ['what a function takes', () => true, 'multipart/mixed; boundary=b', undefined],
    ['what a function takes, and needs names if it is not multipart', () => true, 'form/x; boundary=b',
      'multipart.disposition.invalid']
  ]) {
    it(`reads ${what}`, async () => {
      const { error, parts } = await partsOf(sent, bodyOf([[], 'x']), { type })
      assert.deepEqual([error?.type, parts.length], [expected, expected === undefined ? 1 : 0])
    })
  }

  it('are not for the middleware, which leaves other types to other parsers', async () => {
    const message = { headers: { 'Content-Type': 'multipart/mixed; boundary=b' } }
    const { error, body } = await upload(multipart(), bodyOf([[], 'x']), message)
    assert.deepEqual([error, body], [undefined, undefined])
    const taken = await upload(multipart({ type: () => true }), bodyOf([[], 'x']), message)
    assert.equal(taken.error.type, 'multipart.disposition.invalid')
  })
})
