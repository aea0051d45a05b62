'use strict'

// Forms that are read as multer reads them: headers of parts, names, charsets.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const { RouteFiles } = require('../../../lib/uploads/multer/routes')
const { HEAD, agree, agreed, field, file, form, part } = require('../../support/multer-rows')

const rows = (list, rowOf) => Object.fromEntries(list.map((item) => [JSON.stringify(item).slice(0, 90), rowOf(item)]))
const withHeader = (header) => form(part(header))
const withDisposition = (parameters) => withHeader(`Content-Disposition: ${parameters}`)
const withType = (type) => ['Content-Type', type]

describe('multer: routes', () => {
  it('gives fields, and the file of `single`', async () => {
    const seen = await agreed({ body: form(field('a'), file('x')), make: (multer) => multer().single('x') })
    assert.deepEqual(seen, {
      calls: 1,
      body: { '<null>': true, a: '1' },
      file: {
        fieldname: 'x',
        originalname: 'a.txt',
        encoding: '7bit',
        mimetype: 'text/plain',
        buffer: '<bytes> hi',
        size: 2
      },
      left: 0
    })
  })

  agree({
    'single without a file': [form(field('a')), (multer) => multer().single('x')],
    'single with another file': [form(file('y')), (multer) => multer().single('x')],
    'single with two': [form(file('x'), file('x')), (multer) => multer().single('x')],
    'single without a name': [form(file('undefined')), (multer) => multer().single()],
    'single with a number': [form(file('1')), (multer) => multer().single(1)],
    'array with two': [form(file('x'), file('x')), (multer) => multer().array('x')],
    'array over its maximum': [form(file('x'), file('x')), (multer) => multer().array('x', 1)],
    'array of none': [form(file('x')), (multer) => multer().array('x', 0)],
    'array with a maximum that is no number': [form(file('x'), file('x')), (multer) => multer().array('x', '1')],
    'fields with files': [
      form(file('x'), file('y'), file('y')),
      (multer) => multer().fields([{ name: 'x', maxCount: 1 }, { name: 'y' }])
    ],
    'fields that are listed twice': [
      form(file('x'), file('x')),
      (multer) => multer().fields([{ name: 'x', maxCount: 1 }, { name: 'x', maxCount: 2 }])
    ],
    'fields over a maximum': [form(file('x'), file('x')), (multer) => multer().fields([{ name: 'x', maxCount: 1 }])],
    'fields with a name of a prototype': [
      form(file('__proto__')),
      (multer) => multer().fields([{ name: '__proto__' }])
    ],
    'none with a file': [form(field('a'), file('x')), (multer) => multer().none()],
    'none with a file of the field undefined': [form(file('undefined')), (multer) => multer().none()],
    'any with files': [form(file('x'), field('a'), file('__proto__'))]
  })

  it('finds the places of many files without a look at all of them', () => {
    const count = 1000
    for (const shape of ['array', 'object']) {
      let looks = 0
      const req = {}
      const results = new RouteFiles(req, { shape, counts: null })
      const list = new Proxy([], { get: (...args) => { looks++; return Reflect.get(...args) } })
      if (shape === 'array') req.files = list
      else req.files.x = list
      for (let i = 0; i < count; i++) results.put(results.reserve('x'), { i })
      assert.deepEqual([list.length, list.at(-1)], [count, { i: count - 1 }])
      assert.ok(looks < 20 * count, `${looks} looks`)
    }
  })

  /** A route whose request has results of other code. */
  const behind = (results, open) => (multer) => {
    const upload = open(multer())
    return (req, res, next) => upload(Object.assign(req, results), res, next)
  }
  agree({
    'single, beside files of another middleware': [
      form(file('x')), behind({ files: { x: ['before'] } }, (upload) => upload.single('x'))
    ],
    'none, beside those of another middleware': [
      form(field('a')), behind({ files: { before: 1 }, file: 2 }, (upload) => upload.none())
    ],
    'any, of another type that another parser has read': [
      '{}', behind({ body: { before: 1 } }, (upload) => upload.any()), { headers: { 'Content-Type': 'a/b' } }
    ]
  })
})

describe('multer: bodies', () => {
  agree({
    'an end alone': [form()],
    'an empty body': [''],
    garbage: ['garbage'],
    'no end': [field('a')],
    'a file that is cut': [field('a') + file('x').slice(0, -2)],
    'a preamble': [`before\r\n${form(field('a'))}`],
    'a CRLF before it': [`\r\n${form(field('a'))}`],
    'an epilogue': [`${form(field('a'))}after`],
    'an epilogue of NUL': [`${form(field('a'))}${'\0'.repeat(1000)}`],
    'no CRLF at the end': [`${field('a')}--b--`],
    'a part behind the end': [form() + form(field('a'))],
    'a value that is a CRLF': [form(field('a', '\r\n'))],
    'an empty value': [form(field('a', ''))],
    'a body that is coded, and said to be': [
      zlib.gzipSync(form(field('a'))), {}, { headers: { 'Content-Encoding': 'gzip' } }
    ],
    'a body that is said to be coded': [form(field('a')), {}, { headers: { 'Content-Encoding': 'gzip' } }],
    'a body of another type': ['{}', {}, { headers: { 'Content-Type': 'application/json' } }],
    'no body': ['', {}, { headers: { 'Content-Length': undefined } }],
    'no type': [form(field('a')), {}, { headers: { 'Content-Type': undefined } }]
  })
})

describe('multer: the Content-Type of a request', () => {
  agree(rows([
    'Multipart/Form-Data; Boundary=b', 'multipart/form-data;boundary=b', 'multipart/form-data; boundary="b"',
    'multipart/form-data; boundary=b; boundary=c',
    'multipart/form-data; boundary=c; boundary=b', 'multipart/form-data; charset=x; boundary=b',
    'multipart/form-data ; boundary=b',
    "multipart/form-data; boundary='b'", "multipart/form-data; boundary*=utf-8''b",
    'multipart/form-data, multipart/form-data; boundary=b',
    'multipart/form-data', 'multipart/mixed; boundary=b', 'multipart/x; boundary=b', 'multipart', 'multipart/',
    ' multipart/form-data; boundary=b ',
    'multipart/mixed; boundary=b; x="multipart/form-data;"'
  ], (type) => [form(field('a')), {}, { headers: Object.fromEntries([withType(type)]) }]))
})

describe('multer: the Content-Disposition of a part', () => {
  agree(rows([
    'form-data; name=a', 'form-data;name=a', 'form-data ; name=a', 'FORM-DATA; NAME=a', 'form-data; name="a\\"b"',
    'form-data; name="a\\\\b"', 'form-data; name="a\\xb"', 'form-data; name="a%22b"',
    'form-data; name="a%0D%0Ab"', 'form-data; name="a%0d%0ab"', 'form-data; name="%2522"', 'form-data; name="%41"',
    'form-data; name=%22', 'form-data; name="a\\%22"', 'form-data; name="a" ',
    'form-data; name="a"; name="c"', "form-data; name*=utf-8''%61", 'form-data; name="z"; name*=utf-8\'\'%61',
    'form-data; filename=a.txt', 'form-data', 'form-data; =a; name=c',
    'form-data; name=""', 'form-data; name=""; name=a', 'form-data; name=""; filename=x', 'form-data; name="a]"',
    'form-data; name=\'a\'', 'form-data; name="a\tb"',
    'form-data; filename="x\\"y.txt"; name=a', 'form-data; name=a; filename="C:\\dir\\x.txt"',
    'form-data; name=a; filename="../../x.txt"', 'form-data; name="a;b"; filename="q;r"',
    'form-data; name=a; filename=""', 'form-data; name=a; filename="x"; filename="y"', 'form-data; name=a; FileName=q',
    'form-data; name=a; filename="%22.txt"', 'form-data; name=a; filename="x%2Fy"', 'form-data; name=a; filename="x%"',
    'form-data; name=a; size=1; filename=q', 'form-data; name=a; filename="é€.txt"',
    "form-data; name=a; filename=x; filename*=utf-8''%e2%82%ac.txt", "form-data; name=a; filename*=iso-8859-1''%e9.txt",
    "form-data; name=a; filename*=utf-8'en'%c3%a9.txt",
    "form-data; name=a; filename*=utf-8''%e9", "form-data; name=a; filename*=utf-8''x%2Fy",
    "form-data; name=a; filename*=utf-16le''x%00",
    'form-data; name=a; filename=""; filename*=utf-8\'\'x', "form-data; name=a; filename*=UTF-8''q; filename=z",
    "form-data; name=a; filename*=utf-8''%2522x%250a",
    'form-data; name="a"; filename="/x"'
  ], (disposition) => [withDisposition(disposition)]))

  agree({
    'paths that are kept': [
      form(file('x', '../../a.txt'), file('x', 'C:\\d\\b.txt'), file('x', '..')),
      { preservePath: true }
    ],
    'names in UTF-8': [form(file('é', 'é€.txt'), field('ü', 'é')), { defParamCharset: 'utf8' }],
    'a name of half a character, read as UTF-16': [form(file('ab', 'x')), { defParamCharset: 'utf-16le' }],
    'names with escapes, read as UTF-16': [form(file('ab', '%22x')), { defParamCharset: 'utf-16le' }],
    'names in ASCII, read as UTF-8': [form(file('x'), field('a')), { defParamCharset: 'UTF-8' }]
  })
})

describe('multer: the header of a part', () => {
  agree(rows([
    `${HEAD}a; filename=x\r\nContent-Transfer-Encoding: BASE64\r\nContent-Type: Image/PNG; charset=x`,
    `${HEAD}a\r\nContent-Transfer-Encoding: base64`, `${HEAD}a\r\nContent-Type: image/png`,
    `${HEAD}a; filename=x\r\nContent-Type: nonsense`,
    `${HEAD}a; filename=x\r\nContent-Type: text/`, `${HEAD}a; filename=x\r\nContent-Type:`,
    `${HEAD}a; filename=x\r\nContent-Type: text/html; charset`, `${HEAD}a; filename=x\r\nContent-Type: TEXT/HTML ; q="`,
    `${HEAD}a; filename=x\r\nContent-Type: a/b\r\nContent-Type: c/d`,
    `${HEAD}a; filename=x\r\nContent-Transfer-Encoding: 8Bit\r\nContent-Transfer-Encoding: x`,
    `${HEAD}a; filename=x\r\nContent-Transfer-Encoding:`, 'content-disposition:form-data; name=a',
    `X: y\r\n${HEAD}a`, `X:\r\n${HEAD}a`, `X: é\r\n${HEAD}a`, `X:\t\ty\t\r\n${HEAD}a`,
    `${HEAD}"p"\r\n ;filename=x`, `Content-Type: nonsense\r\n${HEAD}a`, `${HEAD}"p"\r\n${HEAD}"q"`,
    'Content-Disposition : form-data; name=a', ` ${HEAD}a`, `X y: z\r\n${HEAD}a`, `X: \x7f\r\n${HEAD}a`,
    `X: \x01\r\n${HEAD}a`, `: y\r\n${HEAD}a`, `X\r\n${HEAD}a`, `${HEAD}a\r\rX: y`, `${HEAD}"p"\nX: y`,
    `${HEAD}"p\0"`, 'nonsense', `${HEAD}"p"\r\nX: ${'x'.repeat(17000)}`,
    `${HEAD}a; filename=x\r\nContent-Type: ???; x="a/b"`,
    ...['IMAGE/png', 'image/PNG', 'text/html; charset=x'].map((type) => (
      `${HEAD}"a"; filename="x"\r\nContent-Type: ${type}`
    ))
  ], (header) => [withHeader(header)]))
})

describe('multer: charsets', () => {
  for (const charset of ['UTF8', 'latin1', 'us-ascii', 'utf-16le', 'base64']) { // charset.js has the other labels
    agree({
      [`a value in "${charset}"`]: [form(part(`${HEAD}a\r\nContent-Type: text/plain; charset=${charset}`, 'Aé€'))],
      [`defCharset "${charset}"`]: [form(field('a', 'Aé€')), { defCharset: charset }],
      [`defParamCharset "${charset}"`]: [form(field('aé€')), { defParamCharset: charset }]
    })
  }
  agree({
    'a value that declares its charset, beside defCharset': [
      form(part(`${HEAD}a\r\nContent-Type: text/plain; charset=utf-8`, 'é')), { defCharset: 'latin1' }
    ],
    'a file in an unknown charset': [form(part(`${HEAD}a; filename=x\r\nContent-Type: text/plain; charset=nope`))]
  })
})
