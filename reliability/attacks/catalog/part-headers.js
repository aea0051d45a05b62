'use strict'

// Forms of 1 MB, in 100 parts whose headers take as long as possible to read,
// within the bounds of this package. multer has none of these bounds.

const { attackOn, fill, MB } = require('./attack')

const PARTS = 100
const DISPOSITION = 'Content-Disposition: form-data; name="a"'
const FILE = 'Content-Disposition: form-data; name="a"; filename*=big5\'\''
const TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' }

function attack (name, what, header) {
  const make = () => ({ headers: TYPE, pieces: [formOf(header)] })
  const targets = ['fast-body-parser/multer', 'multer']
  return attackOn('upload', make, { name, what, targets, options: { engine: 'memoryStorage' }, expect: ['200'] })
}

/** Each part has content, so that the form has 1 MB whatever its headers have. */
function formOf (header) {
  const head = Buffer.from(`--b\r\n${header}\r\n\r\n`)
  const content = fill('x', Math.floor(MB / PARTS) - head.length - 2)
  const part = Buffer.concat([head, content, Buffer.from('\r\n')])
  return Buffer.concat([...Array(PARTS).fill(part), Buffer.from('--b--\r\n')])
}

module.exports = [
  attack('parts-plain', '100 fields with ordinary headers', DISPOSITION),
  attack('parts-lines', '100 fields with 32 lines of header each', DISPOSITION + '\r\na: b'.repeat(31)),
  attack('parts-parameters', '100 fields with 16 parameters each', DISPOSITION + "; x*=big5''%41".repeat(15)),
  attack('parts-semicolons', '100 fields with 15 semicolons each', DISPOSITION + ';'.repeat(15)),
  attack('parts-escapes', '100 files with 64 escapes of Big5 in each name', FILE + '%A4%A4'.repeat(32))
]
