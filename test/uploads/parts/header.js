'use strict'

const assert = require('node:assert/strict')
const path = require('node:path')
const fc = require('fast-check')
const { decoderOf } = require('../../../lib/core/body/charset')
const { partDecoderOf } = require('../../../lib/uploads/parts/form-charsets')
const parseHeader = require('../../../lib/uploads/parts/header')

const fail = (type, detail = '') => { throw new Error(type + detail) }

/** Between other bytes, which are not of the header. */
function parse (header, charset = 'utf-8') {
  const bytes = Buffer.from(header)
  const chunk = Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')])
  return parseHeader({ chunk, start: 1, end: 1 + bytes.length }, partDecoderOf(charset, decoderOf), fail)
}

const disposition = (value) => parse(`Content-Disposition: form-data${value}`)

describe('part header', () => {
  // [what, parameters, name, filename]
  const names = [
    ['names of parameters in any case', '; NAME=a; FileName=b', 'a', 'b'],
    ['white space around parameters', ' ;\tname = "a" ; filename = b\t', 'a', 'b'],
    ['an empty parameter', '; ; name=a;', 'a'],
    ['other parameters, which may occur twice', '; size=3; name=a; size=4; read-date="; name=b"', 'a'],
    ['names in UTF-8', '; name="é"; filename="論文.pdf"', 'é', '論文.pdf'],
    ['unquoted names in UTF-8', '; filename=à; name=à', 'à', 'à'],
    ['%22, %0D and %0A', '; name="a%22%0D%0A%0d%41"; filename="%22.png"', 'a"\r\n%0d%41', '".png'],
    ['quotes after a backslash', '; name="a\\"\\\\b"; filename="\\"c\\"%22"', 'a"\\b', '"c"%22'],
    ['a backslash', '; name="a\\\\b\\c"', 'a\\\\b\\c'],
    ['a name that ends in a backslash', '; name="a\\"', 'a\\'],
    ['an empty name', '; name=""; filename=""', '', ''],
    ['a file name of two dots as an empty one', '; name=a; filename=".."', 'a', ''],
    ['a file name that is two dots without control characters as an empty one', '; name=a; filename=".%0D."', 'a', ''],
    ['file names without control characters', '; name="\u0001"; filename="a\u0001\u007F\u009Fb%0D%0A"', '\u0001', 'ab'],
    ['plain parameters beside extended ones', "; name=a; name*=utf-8''b; filename=\"c\"; filename*=utf-8''d", 'a', 'c'],
    ['an extended file name alone', "; name=a; filename*=utf-8''%C3%A9%20%e2%82%ac.png", 'a', 'é €.png'],
    [
      'an extended file name in another charset, with a language', "; name=a; FILENAME*=iso-8859-1'en'%E9.png", 'a',
      'é.png'
    ],
    ['an extended file name in quotes', '; name=a; filename*="utf-8\'\'%C3%A9"', 'a', 'é'],
    [
      'characters of an extended file name that few clients escape', "; name=a; filename*=utf-8''a(1)'!*@b.png", 'a',
      "a(1)'!*@b.png"
    ],
    ['an extended file name beside an empty one', "; name=a; filename=\"\"; filename*=utf-8''d", 'a', 'd'],
    [
      'an extended file name beside an encoded word',
      "; name=a; filename=\"=?utf-8?B?w6kucG5n?=\"; filename*=utf-8''%C3%A9.png", 'a', 'é.png'
    ],
    ...[
      ['????.docx', '%D0%BF%D1%80%D0%B8%D0%B2.docx', 'прив.docx'], ['?.png', '%F0%9F%98%80.png', '😀.png'],
      ['??.png', '%F0%9F%98%80.png', '😀.png'], ['??', '%C3%A9%E2%82%AC', 'é€'],
      ['dir/?.png', 'dir%2F%C3%A9.png', 'é.png'],
      ['???.png', '%F0%9F%98%80.png', '???.png'], ['?.png', 'a.png', '?.png'], ['?.pnG', '%C3%A9.png', '?.pnG'],
      ['a?.png', '%C3%A9a.png', 'a?.png'], ['?', '%zz', '?']
    ].map(([filename, extended, expected]) => [
      `${filename} beside ${extended}`, `; name=a; filename="${filename}"; filename*=UTF-8''${extended}`, 'a', expected
    ]),
    ['folded lines', ';\r\n name=a;\r\n\t filename="b\r\n c"', 'a', 'b c'],
    ['an encoded word alone as it is', '; name=a; filename="=?utf-8?B?w6kucG5n?="', 'a', '=?utf-8?B?w6kucG5n?='],
    [
      'the last segment of an extended file name, without control characters',
      "; name=a; filename*=utf-8''..%2F%5Cb%00%0D.png", 'a', 'b.png'
    ],
    ['a file name beside an extended one that does not decode', "; name=a; filename=c; filename*=utf-8''%zz", 'a', 'c'],
    ['a file name beside one in pieces', '; name=a; filename=c; filename*0=d', 'a', 'c']
  ]
  for (const [what, parameters, name, filename] of names) {
    it(`reads ${what}`, () => {
      const header = disposition(parameters)
      assert.deepEqual([header.name, header.filename], [name, filename])
    })
  }

  // [what, file name, folder, name]
  const folders = [
    ['of nested folders', 'photos/2024/june/a.jpg', 'photos/2024/june', 'a.jpg'],
    ['without a folder', 'a.jpg', '', 'a.jpg'],
    ['of a share', '\\\\server\\share\\a.jpg', 'server/share', 'a.jpg'],
    ['upwards', '../../a/../b/a.jpg', 'a/b', 'a.jpg'],
    ['that is only upwards', '../../../', '', ''],
    ['that ends in a slash', 'photos/2024/', 'photos/2024', ''],
    ['with a drive alone', 'c:a/a.jpg', 'a', 'a.jpg'],
    ['with drives within', '/C:/D:b/E:E:c/a.jpg', 'b/c', 'a.jpg'],
    ['upwards behind a drive', 'C:../C:/a.jpg', '', 'a.jpg'],
    ['upwards with dots and blanks that Windows ignores', '.. /... /. ./a /a.jpg', 'a ', 'a.jpg'],
    ['upwards with control characters', '.\u0001./\u007F/.%0D%0A./\u009Fa\u0085/a.jpg', 'a', 'a.jpg'],
    ['with dots and colons in names', '.git/a..b/..c/d../10:30/a.jpg', '.git/a..b/..c/d../10:30', 'a.jpg'],
    ['in UTF-8 with quotes', 'фото/%22論%22/a.jpg', 'фото/"論"', 'a.jpg']
  ]
  for (const [what, sent, folder, filename] of folders) {
    it(`reads the folder of a path ${what}`, () => {
      const header = disposition(`; name="a"; filename="${sent}"`)
      assert.deepEqual([header.folder, header.filename], [folder, filename])
    })
  }

  it('reads the folder of an extended file name, without NUL', () => {
    const header = disposition("; name=a; filename*=utf-8''%00C:%5Cf%C3%A9%2F%2E%00%2E%2Fa.jpg")
    assert.deepEqual([header.folder, header.filename], ['fé', 'a.jpg'])
  })

  it('has no folder of any path that leads elsewhere', () => {
    const piece = fc.constantFrom('.', '..', '/', '\\', 'C:', ':', ' ', 'a', '\u0001', '%0D', '%22', 'é')
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { folder } = disposition(`; name="a"; filename="${pieces.join('').replace(/\\$/, '')}"`)
      assert.equal(folder, path.posix.normalize(folder === '' ? '.' : folder).replace(/^\.$/, ''))
      assert.doesNotMatch(folder, /^\/|\\|\/$|\/\/|\p{Cc}|(?:^|\/)(?:[a-z]:|[. ]+(?:\/|$))/ui)
      const windows = path.win32.resolve('X:\\uploads', folder)
      assert.ok(windows === 'X:\\uploads' || windows.startsWith('X:\\uploads\\'))
    }), { numRuns: 500 })
  })

  // [charset, bytes of the file name, file name]
  for (const [charset, bytes, filename] of [
    ['shift_jis', [0x95, 0x5C, 0x61], '表a'],
    ['shift_jis', [0x95, 0x5C], '表'],
    ['gbk', [0x81, 0x5C, 0x2F, 0x81, 0x5C], '乗'],
    ['windows-1252', [0xA0, 0x80, 0xA0], '\xA0€\xA0'],
    ['iso-8859-1', [0xE8, 0x22], 'è']
  ]) {
    it(`reads the bytes ${Buffer.from(bytes).toString('hex')} of ${charset} as a name, after it has found the parameters`, () => {
      const value = Buffer.concat([
        'Content-Disposition: form-data; name=a; filename="', Buffer.from(bytes), bytes.at(-1) === 0x22 ? '' : '"'
      ].map((piece) => Buffer.from(piece)))
      assert.equal(parse(value, charset).filename, filename)
    })
  }

  // [what, value, type, charset]
  const types = [
    ['a media type in lower case', 'Image/PNG', 'image/png', undefined],
    ['a charset in lower case', 'text/plain; Charset="UTF-8"', 'text/plain', 'utf-8'],
    ['a path in place of a media type', '../x', 'application/octet-stream', undefined],
    ['a media type behind a tag', '<b>text/plain', 'application/octet-stream', undefined],
    ['a media type before a tag', 'text/plain<b>', 'application/octet-stream', undefined]
  ]
  for (const [what, value, type, charset] of types) {
    it(`reads ${what} as ${type}`, () => {
      const header = parse(`CONTENT-TYPE:${value}\r\nContent-Disposition:form-data;name=a`)
      assert.deepEqual([header.type, header.charset], [type, charset])
    })
  }

  it('reads 32 lines and 16 parameters', () => {
    const type = `Content-Type: a/b${';x=y'.repeat(16)}`
    const header = parse(`Content-Disposition: form-data;name=a${'; ;x=y'.repeat(7)};\r\n${type}${'\r\na:'.repeat(30)}`)
    assert.deepEqual([header.name, header.type], ['a', 'a/b'])
  })

  it('reads 64 escapes of a value, control characters and folders of a file name', () => {
    assert.equal(parse(`Content-Disposition: form-data; name="${'%22'.repeat(64)}"`).name, '"'.repeat(64))
    const { folder, filename } = parse(`Content-Disposition: form-data; name=a; filename="${'a/'.repeat(64)}${'\t'.repeat(64)}b"`)
    assert.deepEqual([folder.length, filename], [127, 'b'])
  })

  it('reads a part without a media type as text, and ignores other header fields', () => {
    assert.deepEqual(parse('Content-Length: 3\r\nContent-Disposition: Form-Data; name=a\r\nX-A:\r\nX-A: b'),
      {
        name: 'a',
        nameLength: 1,
        filename: undefined,
        folder: '',
        isUnchosen: false,
        type: 'text/plain',
        encoding: '7bit',
        charset: undefined
      })
  })

  // [value of a file name, whether the user chose no file]
  for (const [filename, isUnchosen] of [['', true], ['dir/', false], ['.', false], ['a', false]]) {
    it(`is that of a form control ${isUnchosen ? 'without' : 'with'} a file, which is named ${JSON.stringify(filename)}`, () => {
      assert.equal(disposition(`; name="a"; filename="${filename}"`).isUnchosen, isUnchosen)
    })
  }

  for (const encoding of ['7bit', '8BIT', 'binary']) {
    it(`accepts a Content-Transfer-Encoding of ${encoding}`, () => {
      assert.equal(parse(`Content-Transfer-Encoding: ${encoding}\r\nContent-Disposition: form-data; name=a`).name, 'a')
    })
  }

  const named = 'Content-Disposition: form-data; name=a'
  // [what, header, type]
  const faults = [
    ['NUL', 'Content-Disposition: form-data; name="\0"', 'header.control'],
    ['CR alone', 'Content-Disposition: form-data; name="\r"', 'header.control'],
    ['LF alone in another field', `${named}\r\nX: a\nb`, 'header.control'],
    ['a line without a colon', `${named}\r\nx`, 'header.invalid'],
    ['a field without a name', `${named}\r\n: x`, 'header.invalid'],
    ['a name with a blank', `${named}\r\nX : x`, 'header.invalid'],
    ['a folded line in front of all others', ` X: x\r\n${named}`, 'header.invalid'],
    ['a folded line that belongs to a value', `${named}\r\n X: x`, 'disposition.invalid'],
    ['33 lines that are folded', `${named}\r\nX: y${'\r\n z'.repeat(31)}`, 'header.invalid: more than 32 lines'],
    ['33 lines', `${named}${'\r\na:'.repeat(32)}`, 'header.invalid: more than 32 lines'],
    ['17 semicolons', `${named}${';'.repeat(16)}`, 'disposition.invalid: more than 16 parameters'],
    [
      '17 parameters of its Content-Type', `${named}\r\nContent-Type: a/b${';x=y'.repeat(17)}`,
      'header.invalid: more than 16 parameters'
    ],
    ...['\\"', '\\\\', '%22', '%0d', '%0A'].map((escape) => [
      `65 times ${escape}`, `${named.slice(0, -1)}"${escape.repeat(65)}x"`,
      'disposition.invalid: more than 64 escapes in a value'
    ]),
    [
      '65 control characters', `${named}; filename="${'\t'.repeat(65)}"`,
      'disposition.invalid: more than 64 folders or control characters in a file name'
    ],
    [
      '65 folders in filename*', `${named}; filename*=utf-8''${'a%2F'.repeat(65)}b`,
      'disposition.invalid: more than 64 folders or control characters in a file name'
    ],
    ['two Content-Dispositions', `${named}\r\ncontent-disposition: form-data; name=b`, 'header.repeated'],
    [
      'two Content-Types, of which one is empty', `Content-Type:\r\n${named}\r\nContent-Type: text/plain`,
      'header.repeated'
    ],
    ['base64', `${named}\r\nContent-Transfer-Encoding: base64`, 'encoding.unsupported'],
    ['a longer Content-Transfer-Encoding', `${named}\r\nContent-Transfer-Encoding: 7bits`, 'encoding.unsupported'],
    [
      'a Content-Transfer-Encoding that ends in another', `${named}\r\nContent-Transfer-Encoding: x-7bit`,
      'encoding.unsupported'
    ],
    ['an empty Content-Transfer-Encoding', `${named}\r\nContent-Transfer-Encoding:`, 'encoding.unsupported'],
    ['no header', '', 'disposition.invalid'],
    ['another Content-Disposition', 'Content-Disposition: attachment; name=a', 'disposition.invalid'],
    ['a longer Content-Disposition', 'Content-Disposition: form-datax; name=a', 'disposition.invalid'],
    [
      'form-data in the parameter of another Content-Disposition', 'Content-Disposition: something; name="form-data;"',
      'disposition.invalid'
    ],
    ['no name, but a file name', 'Content-Disposition: form-data; filename=a', 'name.missing'],
    ['two names', `${named}; name=b`, 'disposition.invalid'],
    ...[
      "utf-8''%E9", "utf-8''%zz", "utf-8''%C3%", "utf-8''é", "nope''x", "utf-16le''x%00", "gbk''%81", "utf-8'x", 'x',
      "''x", '""'
    ].map((value) =>
      [
        `an extended file name ${value}, which does not decode`, `${named}; filename*=${value}`,
        'disposition.invalid: filename* does not decode'
      ]),
    [
      'an extended file name that does not decode, beside an empty one', `${named}; filename=""; filename*=utf-8''%zz`,
      'disposition.invalid: filename* does not decode'
    ],
    [
      'an extended file name in pieces', `${named}; filename*0*=utf-8''a; filename*1*=b`,
      'disposition.invalid: filename* does not decode'
    ],
    ['a parameter without a value', `${named}; filename`, 'disposition.invalid'],
    ['a parameter with an empty value', 'Content-Disposition: form-data; name=', 'disposition.invalid'],
    ['an unterminated quoted string', 'Content-Disposition: form-data; name="a', 'disposition.invalid'],
    ['text after a quote', 'Content-Disposition: form-data; name="a"b', 'disposition.invalid'],
    ['a blank in a token', 'Content-Disposition: form-data; name=a b', 'disposition.invalid'],
    ['a vertical tab in a token', 'Content-Disposition: form-data; name=a\vb', 'disposition.invalid'],
    ['a quote in a token', 'Content-Disposition: form-data; name=a"b', 'disposition.invalid'],
    ['a backslash before a quote within the line', `${named.slice(0, -1)}"a\\"; filename="b"`, 'disposition.invalid']
  ]
  for (const [what, header, type] of faults) {
    it(`refuses ${what}`, () => assert.throws(() => parse(header), { message: type }))
  }

  it('reads back the names that browsers write', () => {
    // A backslash before a quote that is not the last of its line is taken for an escape.
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '論', '😀', '"', '\r\n', ';', '=', ' ', '%', '%2', '\\b', "'", ':')
    })
    const escape = (text) => text.replaceAll('\r\n', '%0D%0A').replaceAll('"', '%22')
    fc.assert(fc.property(text, text, (name, filename) => {
      const header = disposition(`; name="${escape(name)}"; filename="${escape(filename)}"`)
      assert.equal(header.name, name)
      assert.equal(header.filename, filename.replaceAll('\r\n', '').split('\\').at(-1))
    }), { numRuns: 300 })
  })

  it('reads what browsers write as it reads the same with one more field', () => {
    const names = ['a', 'é b', '"', '\\', '%22', 'a\x01', '\r']
    const filenames = [
      '',
      ...[
        'a', 'a.b', '.', '..', 'a.', '/a', 'a/', 'a/b', '\\a', '%22', 'a%22', '"a', 'a"', '\x01a', 'a\x01', '\n'
      ].map((filename) => `; filename="${filename}"`)
    ]
    const types = [
      '',
      ...['a/b', 'A/b', 'a/B', 'a1/b', '/b', 'a/b1', 'a/b+c-d.e', 'a/b;c', 'text/plain; charset=x'].map((type) =>
        `\r\nContent-Type: ${type}`)
    ]
    const outcome = (header) => {
      try {
        return parse(header)
      } catch ({ message }) {
        return message
      }
    }
    const written = names.flatMap((name) => filenames.flatMap((filename) => types.map((type) =>
      `Content-Disposition: form-data; name="${name}"${filename}${type}`)))
    for (const header of written.flatMap((header) => [header, `X${header}`, `${header}\r\nX`, `${header};`])) {
      const expected = outcome(`${header}\r\nY: y`)
      assert.deepEqual(outcome(header), expected)
      assert.deepEqual(outcome(header.replace(/Content-\w+:/g, (field) => field.toLowerCase())), expected)
    }
  })
})
