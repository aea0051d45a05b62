'use strict'

const { inspect } = require('node:util')
const iconv = require('iconv-lite')
const { table } = require('../support/table')
const OF = require('../support/types')

/** A row for a body whose Content-Type has this parameter. */
function row (parser, parameter, body, expect, options) {
  return {
    it: `${verbOf(expect)} ${parser} with ${parameter ? JSON.stringify(parameter) : 'no charset'}${describeOptions(options)}`,
    parser,
    options,
    headers: { 'Content-Type': `${OF[parser]}${parameter}` },
    body,
    expect
  }
}

const verbOf = (expect) => expect === undefined ? 'reads' : 'error' in expect ? 'refuses' : 'parses'

const describeOptions = (options) => options === undefined ? '' : ` and ${inspect(options)}`

function refused (charset) {
  return {
    error: {
      status: 415,
      type: 'charset.unsupported',
      charset,
      message: `unsupported charset "${charset.toUpperCase()}"`,
      constructor: 'UnsupportedMediaTypeError'
    }
  }
}

const object = '{"name":"論€é"}'
const parsed = { body: { name: '論€é' } }
const nothing = () => {}

describe('charset', () => {
  describe('of JSON', () => {
    table([
      row('json', '; charset=utf-8', object, parsed),
      row('json', '; charset=UTF-8', object, parsed),
      row('json', ';charset="utf-8"', object, parsed),
      row('json', '; charset=utf-16', iconv.encode(object, 'utf-16'), parsed),
      row('json', '; charset=utf-16le', iconv.encode(object, 'utf-16le'), parsed),
      row('json', '; charset=utf-16be', iconv.encode(object, 'utf-16be'), parsed),
      row('json', '; charset=utf-16le', iconv.encode(object, 'utf-16le', { addBOM: true }), parsed),
      row('json', '; charset=utf-32', iconv.encode(object, 'utf-32', { addBOM: true }), parsed),
      // cut elsewhere, iconv-lite's streaming decoder, which body-parser uses, garbles UTF-7
      { ...row('json', '; charset=utf-7', iconv.encode(object, 'utf-7'), parsed), arrivals: ['together'] },
      row('json', '; charset=utf-8:2000', object, parsed),
      row('json', '; charset=utf-8', '\ufeff' + object, parsed),
      row('json', '; charset=', object, parsed),
      row('json', '; charset', object, parsed),
      row('json', '; charset=utf8', object, refused('utf8')),
      row('json', '; charset=iso-8859-1', object, refused('iso-8859-1')),
      row('json', '; charset=utf-bogus', object, refused('utf-bogus')),
      row('json', '; charset=UTF-Bogus', object, refused('utf-bogus'), { verify: nothing }),
      row('json', '; charset=x-user-defined', '', refused('x-user-defined')),
      row('json', '', iconv.encode(object, 'utf-16le'), parsed, { defaultCharset: 'utf-16le' }),
      row('json', '; charset=utf-8', object, parsed, { defaultCharset: 'utf-16le' }),
      row('json', '', object, refused('latin1'), { defaultCharset: 'latin1' }),
      row('json', '', object, undefined, { defaultCharset: 'UTF-8' }),
      row('json', '', object, parsed, { defaultCharset: '' })
    ])
  })

  describe('of text', () => {
    const texts = [
      ['utf-8', 'é€論😀'], ['utf8', 'é'], ['UTF_8', 'é'], ['iso-8859-1', 'é'], ['ISO-8859-1', 'é'], ['latin1', 'é'],
      ['windows-1252', '€'], ['us-ascii', 'a'], ['koi8-r', 'Привет'], ['shift_jis', '論'], ['gbk', '论'],
      ['big5', '論'], ['euc-kr', '한'], ['utf-16', 'é論'], ['utf-16le', 'é論😀'], ['utf-16be', 'é論😀'],
      ['utf-32le', 'é論😀'],
      ['hex', 'abcd'], ['base64', 'abcd']
    ]
    table([
      ...texts.map(([charset, text]) =>
        row('text', `; charset=${charset}`, iconv.encode(text, charset), { body: text })),
      row('text', '; charset=ascii', Buffer.from([0x61, 0xe9]), { body: 'a\ufffd' }),
      row('text', '; charset=iso-8859-1', Buffer.from('\ufeffa'), { body: 'ï»¿a' }),
      row('text', '; charset=iso-8859-1', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), undefined),
      row('text', '; charset=utf-16le', iconv.encode('\ufeffa', 'utf-16le'), { body: 'a' }),
      row('text', '; charset=bogus', 'a', refused('bogus')),
      row('text', '; charset=bogus', 'a', refused('bogus'), { verify: nothing }),
      row('text', '', Buffer.from([0xe9]), { body: 'é' }, { defaultCharset: 'iso-8859-1' }),
      row('text', '', Buffer.from([0xe9]), { body: 'é' }, { defaultCharset: 'ISO-8859-1' }),
      row('text', '', 'a', refused('bogus'), { defaultCharset: 'bogus' }),
      row('text', '', 'a', undefined, { defaultCharset: 'Bogus', verify: nothing })
    ])
  })

  describe('of forms', () => {
    table([
      row('urlencoded', '; charset=utf-8', 'name=%E8%AB%96', { body: { name: '論' } }),
      row('urlencoded', '; charset=UTF-8', 'name=論', { body: { name: '論' } }),
      row('urlencoded', '; charset=iso-8859-1', 'name=%E9', { body: { name: 'é' } }),
      row('urlencoded', '; charset=ISO-8859-1', Buffer.from('né=é', 'latin1'), { body: { né: 'é' } }),
      row('urlencoded', '; charset=iso-8859-1', Buffer.from('a[é]=%E9', 'latin1'), { body: { a: { é: 'é' } } },
        { extended: true }),
      row('urlencoded', '', 'name=%E9', { body: { name: 'é' } }, { defaultCharset: 'iso-8859-1' }),
      row('urlencoded', '; charset=latin1', 'a=1', refused('latin1')),
      row('urlencoded', '; charset=utf8', 'a=1', refused('utf8')),
      row('urlencoded', '; charset=utf-16', 'a=1', refused('utf-16')),
      row('urlencoded', '; charset=koi8-r', 'a=1', refused('koi8-r'), { verify: nothing })
    ])
  })

  describe('parameter of Content-Type', () => {
    const headers = [
      '; charset=utf-16le; charset=utf-8', '; charset=; charset=utf-16le', '; CHARSET=utf-16le',
      ';  charset = utf-16le ;',
      '; a="b;charset=latin1"; charset=utf-16le', '; charset="utf-16\\le"', '; charset="utf-16le" junk; x',
      '; charset="utf-16le',
      "; charset='utf-16le'", '; charset=utf-16le x', '; charset*=utf-16le', '; charset*0=utf-16le',
      ';;; charset=utf-16le', '; x; charset=utf-16le',
      '; charset:utf-16le', ' charset=utf-16le', '; charset=utf-16le,text/plain', '\t;\tcharset=utf-16le\t',
      '; charset=\u00a0utf-16le', '; charset="a\\"b"'
    ]
    table(headers.map((parameter) => row('text', parameter, 'ab', undefined)))
  })
})
