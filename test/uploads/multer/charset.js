'use strict'

// Charsets of names and values.

const assert = require('node:assert/strict')
const { decoderOf } = require('../../../lib/uploads/multer/charsets')

const LABELS = {
  'a byte is a character': ['latin1', 'latin-1', 'iso-8859-1', 'iso8859-1', 'ascii', 'us-ascii', 'windows-1252',
    'cp1252', 'x-cp1252', 'iso88591', 'iso_8859-1', 'l1', 'cp819', 'ibm819', 'csisolatin1', 'iso-ir-100',
    'ansi_x3.4-1968', 'LATIN1'],
  'two bytes are a character, and half of one is nothing': ['utf-16le', 'utf16le', 'ucs2', 'ucs-2', 'UCS2']
}
const EXAMPLES = {
  'a byte is a character': ['\x80\xe9\x9f', '\x80\xe9\x9f'],
  'two bytes are a character, and half of one is nothing': ['a\0\xe9\0b', 'aé']
}
const OTHERS = [
  ['utf-8', '\xef\xbb\xbf\xc3\xa9', '\ufeffé'],
  ['utf8', '\xef\xbb\xbf\xc3\xa9', '\ufeffé'],
  ['base64', 'abc', 'YWJj'],
  ['koi8-r', '\xc1', 'а'],
  ['utf-16be', '\xfe\xff\0a', '\ufeffa']
]

describe('multer: charsets', () => {
  for (const [what, labels] of Object.entries(LABELS)) {
    const [bytes, text] = EXAMPLES[what]
    for (const label of labels) {
      it(`${what} in ${label}`, () => assert.equal(decoderOf(label)(Buffer.from(bytes, 'latin1')), text))
    }
  }

  for (const [label, bytes, text] of OTHERS) {
    it(`knows ${label}, and keeps a byte order mark`, () => {
      const whole = Buffer.from(`<${bytes}>`, 'latin1')
      assert.equal(decoderOf(label)(whole, 1, whole.length - 1), text)
    })
  }

  it('does not know other labels', () => assert.equal(decoderOf('klingon'), null))
})
