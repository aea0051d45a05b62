'use strict'

// The charset of a form: of its Content-Type, of `_charset_`, of the option.

const assert = require('node:assert/strict')
const { multipart } = require('../../../')
const { form, shown, upload } = require('../../support/upload')

const CYRILLIC = Buffer.from([0xC6, 0xE0]) // "Жа" in windows-1251, "Æà" in iso-8859-1
const typed = (parameters) => ({ headers: { 'Content-Type': `multipart/form-data; ${parameters}` } })
const FORM = typed('charset=windows-1251; boundary=b')
const field = form(['a', CYRILLIC])
const declared = form(['a', CYRILLIC, undefined, 'text/plain; charset=iso-8859-1'])

// [what, options, message, body, req.body]
const rows = [
  ['names none, as UTF-8', {}, typed('boundary=b'), form(['a', 'Жа']), { a: 'Жа' }],
  ['names one', {}, FORM, field, { a: 'Жа' }],
  ['names one behind the boundary', {}, typed('boundary=b ;Charset="Windows-1251"'), field, { a: 'Жа' }],
  ['names an empty one', {}, typed('charset=""; boundary=b'), form(['a', 'Жа']), { a: 'Жа' }],
  ['names one in another parameter', {}, typed('x="charset=gbk"; y="; charset=gbk"; boundary=b'), form(['a', 'Жа']),
    { a: 'Жа' }],
  ['names none, with the option', { defaultCharset: 'Windows-1251' }, typed('boundary=b'), field, { a: 'Жа' }],
  ['names UTF-8 beside the option', { defaultCharset: 'windows-1251' }, typed('charset=UTF-8; boundary=b'),
    form(['a', 'Жа']), { a: 'Жа' }],
  ['names one, with a part that names its own', {}, FORM, declared, { a: 'Æà' }],
  ['names none, with the option and a part that names its own', { defaultCharset: 'windows-1251' }, {}, declared,
    { a: 'Æà' }],
  ['names one, with a _charset_', {}, FORM, form(['a', CYRILLIC], ['_charset_', 'iso-8859-1'], ['b', CYRILLIC]),
    { a: 'Жа', _charset_: 'iso-8859-1', b: 'Æà' }]
]

describe('fields of a form that', () => {
  for (const [what, options, message, body, expected] of rows) {
    it(`${what}`, async () => {
      const seen = await upload(multipart(options), body, message)
      assert.deepEqual([seen.error, seen.body], [undefined, expected])
    })
  }

  it('names a charset have their names in it, and files theirs', async () => {
    const text = '--b\r\nContent-Disposition: form-data; name="\xC6"; filename="\xE0/\xC6.txt"\r\n\r\n\xC6\r\n--b--'
    const seen = await upload(multipart(), Buffer.from(text, 'latin1'), FORM)
    const [{ name, folder, bytes }] = seen.files.Ж
    assert.deepEqual([seen.error, name, folder, bytes], [undefined, 'Ж.txt', 'а', Buffer.from([0xC6])])
  })

  for (const charset of ['utf-16', 'utf-7', 'iso-2022-jp', 'base64', 'nope']) {
    it(`names ${charset} are refused, by the option as well`, async () => {
      const seen = await upload(multipart(), field, typed(`charset=${charset}; boundary=b`))
      assert.deepEqual(shown(seen.error), { status: 415, type: 'charset.unsupported', part: 1 })
      assert.throws(() => multipart({ defaultCharset: charset }), TypeError)
    })
  }

  it('names none are UTF-8 where the option is not given, and it takes no other value than a charset', async () => {
    for (const defaultCharset of [undefined, null]) {
      assert.deepEqual((await upload(multipart({ defaultCharset }), form(['a', 'é']))).body, { a: 'é' })
    }
    const message = 'option defaultCharset must be a charset of the Encoding Standard, ' +
      'and a superset of ASCII, such as windows-1252'
    for (const defaultCharset of [1, true, '', {}]) {
      assert.throws(() => multipart({ defaultCharset }), { name: 'TypeError', message })
    }
  })
})
