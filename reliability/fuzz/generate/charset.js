'use strict'

const { oneOf } = require('./draw')

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

module.exports = { charset }
