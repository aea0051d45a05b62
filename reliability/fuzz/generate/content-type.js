'use strict'

// Content-Type values: valid, odd and malformed. A `%` stands for the charset.

const { joined, oneOf, upTo } = require('./draw')

const UNICODE = [
  'utf-8', 'utf-16', 'utf-16le', 'utf-16be', 'utf-32', 'utf-32le', 'utf-32be', 'utf-7', 'utf-7-imap', 'ucs2', 'cesu-8'
]
const LEGACY = [
  'iso-8859-1', 'latin1', 'us-ascii', 'windows-1252', 'koi8-r', 'ibm866', 'macintosh', 'tis-620',
  'big5', 'gb18030', 'gbk', 'gb2312', 'shift_jis', 'euc-jp', 'euc-kr', 'iso-2022-jp'
]
const BYTES = ['hex', 'base64', 'binary', 'ascii']
const ODD = [
  '', 'utf', 'utf-', 'utf8', 'UTF-8', 'Utf-16LE', 'utf-bogus', 'utf-8:2005', 'utf_8', ' utf-8', 'utf-8 x', 'bogus',
  'ISO-8859-1', 'toString', '__proto__', 'constructor', 'internal', 'singlebyte', 'x'.repeat(200), 'ü'
]

/** A name after `charset=`. */
const charset = oneOf(
  [8, 'utf-8'],
  [2, 'iso-8859-1'],
  [4, UNICODE],
  [3, LEGACY],
  [1, BYTES],
  [2, ODD]
)

const usual = (type) => Array(40).fill(type)

const TYPES = {
  json: [...usual('application/json'), 'APPLICATION/Json', 'application/vnd.api+json', 'text/json'],
  urlencoded: [
    ...usual('application/x-www-form-urlencoded'), 'Application/X-WWW-Form-Urlencoded',
    'multipart/form-data; boundary=x'
  ],
  text: [...usual('text/plain'), 'TEXT/plain', 'text/html', 'text/xml'],
  raw: [...usual('application/octet-stream'), 'image/png', 'multipart/mixed']
}

const PARAMETERS = [
  ...Array(15).fill('; charset=%'), ';charset=%', '; CharSet=%', '; charset="%"', '; charset = %', ' ;\tcharset=%  ',
  '; charset="%', "; charset='%'",
  '; charset="\\u%"', '; charset=%; charset=bogus', '; charset=; charset=%', '; x=";"; charset=%',
  '; x="\\""; charset=%', '; charset="%" junk',
  '; charset=%; x=y', '; boundary=abc; charset=%', '; charset*=%', '; charset', '; =%', ';;; charset=%;;',
  '; x; charset=%', '; charset=%,', '; charset==%', '; charset="";charset=%',
  '; __proto__=1; charset=%', '; charset=%\u00e9', ';', '; ', '; v=1', ` ; x=${'y'.repeat(70)}; charset=%`
]

const PIECES = ['application', '/', 'json', ';', ' ', '\t', 'charset', '=', '%', '"', '\\', 'text',
  'plain', ',', '+', '*', 'utf-8', 'x', "'", '\u00e9', '.', '-']

/** @param {string} parser whose type it mostly is */
function contentType (parser) {
  const type = oneOf(
    [24, TYPES[parser]],
    [2, Object.values(TYPES).flat()]
  )
  return oneOf(
    [12, type],
    [20, joined(type, PARAMETERS)],
    [1, joined(type, PARAMETERS, PARAMETERS)],
    [2, joined(upTo(12, PIECES))],
    [1, joined(type, ';', upTo(10, PIECES))],
    [1, undefined]
  )
}

module.exports = { charset, contentType }
