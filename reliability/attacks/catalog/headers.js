'use strict'

// Attacks by the header, with a small body.

const { attackOn, MB } = require('./attack')

const BODY = [Buffer.from('{}')]
const HEADER = 15_000 // characters; Node takes no more than 16 KiB of header
const OK = ['200']

/** On a parser of 1 MB of JSON, unless it says otherwise. */
function attack (name, what, expect, headers, more) {
  return attackOn('json', () => ({ headers, pieces: BODY }), { name, what, expect, ...more })
}

const type = (value) => ({ 'Content-Type': value })

/** A Content-Type of its own for each request. */
const types = (valueOf, more) => ({
  prepare: async () => (index) => ({ headers: type(valueOf(index)), pieces: BODY }),
  ...more
})
const patterns = { options: { limit: MB, type: ['+json', 'json', '*/json'] } }
const UNSUPPORTED = ['415 charset.unsupported']

module.exports = [
  attack('types', 'a Content-Type of its own each time', OK, {},
    types((index) => `application/json; n=${index}`)),
  attack('charsets', 'a charset of its own each time', UNSUPPORTED, {},
    types((index) => `text/plain; charset=x${index}`, { parser: 'text' })),
  attack('type-blanks', '15,000 spaces', OK, type(`application/json;${' '.repeat(HEADER)}x`)),
  attack('type-quoted', 'a quoted value of 15,000 backslashes', OK,
    type(`application/json; a="${'\\'.repeat(HEADER)}`)),
  attack('type-parameters', '3,000 parameters', OK,
    type(`application/json${Array.from({ length: 1500 }, (_, index) => `; p${index}=1`).join('')}`)),
  attack('type-pattern', '15,000 spaces, for a parser of patterns', OK,
    type(`application/json;${' '.repeat(HEADER)}x`), patterns),
  attack('charset-long', 'a charset of 15,000 colons', UNSUPPORTED,
    type(`text/plain; charset="${':1'.repeat(HEADER / 2)}"`), { parser: 'text' }),
  attack('charset-tables', 'one body of each large charset', OK, {},
    types((index) => `text/plain; charset=${CHARSETS[index % CHARSETS.length]}`, { parser: 'text' })),
  attack('coding-long', 'a content coding of 15,000 letters', ['415 encoding.unsupported'],
    { 'Content-Encoding': 'x'.repeat(HEADER) })
]

/** iconv-lite reads their tables on first use. */
const CHARSETS = ['shift_jis', 'euc-jp', 'gb2312', 'gbk', 'gb18030', 'euc-kr', 'big5', 'big5-hkscs']
