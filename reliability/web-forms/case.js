'use strict'

// A random form, random options, and what an app does with the form.

const zlib = require('node:zlib')
const digestOf = require('../../test/support/content-digest')
const { randomForm } = require('../../test/support/random-form')
const { cut } = require('../fuzz/form-sides')
const drawForMulter = require('../multer/case')

const FORM = 'multipart/form-data; boundary=b'
const TYPES = [...Array(24).fill(FORM), 'multipart/form-data; boundary="b"', `${FORM}; charset=windows-1252`,
  `${FORM}; charset=nonsense`, `${FORM}; boundary=c`, 'Multipart/Form-Data; BOUNDARY=b', 'multipart/form-data',
  'multipart/form-data; boundary=c', 'multipart/form-data; boundary=', 'multipart/mixed; boundary=b', 'text/plain', '']
const CODINGS = [...Array(20).fill('identity'), 'gzip', 'gzip', 'deflate', 'br', 'x']
const LENGTHS = [...Array(16).fill('declared'), ...Array(16).fill('chunked'), 'less', 'more', 'none']
const STORES = ['memory', 'memory', 'memory', 'disk', 'disk', 'named', 'read', 'read', 'read late', 'peek, read',
  'peek', 'nothing', 'one chunk', 'fail', 'read, fail', 'fail oddly', 'stream', 'stream', 'stream']
const DETECTORS = [...Array(8).fill('none'), 'by bytes', 'by bytes, later', 'unknown', 'failing']
const DIGESTS = ['right', 'right', 'wrong', 'odd', 'none']
const FILTERS = [...Array(6).fill('none'), 'by name', 'by name, later', 'failing', 'failing, later']
const SCHEMAS = [...Array(6).fill('none'), 'changes', 'refuses', 'throws']
const LOOPS = ['read', 'read', 'peek, read', 'skip', 'break']

/** How often each option is there, one in so many, and its values. */
const OPTIONS = {
  limit: [8, [0, 1, 100, 1000, '10kb', '10mb']],
  fields: [6, [{ max: 0 }, { max: 1 }, { max: 3 }, { size: 0 }, { size: 1 }, { size: 30 }, { max: 2, size: '1kb' }]],
  files: [3, [
    false, {}, { x: {} }, { x: { max: 2, size: 3 }, '*': { max: 2 } }, { '*': { max: 3, size: 30 } },
    { x: { min: 1 } }, { y: { min: 1, max: 3, types: ['image/*'] }, '*': { max: 9 } },
    { x: { max: 9, store: 'memory' }, '*': { max: 9, types: ['text/plain', 'image/png'] } }, { '*': { max: 1000 } }
  ]],
  total: [6, [0, 3, 60]],
  parts: [8, [{ max: 1 }, { max: 3 }, { header: 60 }, { name: 1 }, { name: 4 }, { max: 1000, header: '64kb' }]],
  defaultCharset: [8, ['utf-8', 'windows-1252', 'shift_jis', 'gbk']],
  drainLimit: [8, [0, 10]],
  inflate: [20, [false]],
  digest: [8, ['md5', 'sha512', 'none']],
  contentDigest: [6, ['check', 'check', 'require', 'require', true]]
}

/**
 * @typedef {object} Case
 * @property {Buffer[]} pieces the content, as it arrives
 * @property {string} text all of it before its coding, a character for each byte
 * @property {Record<string, string>} headers
 * @property {object} options but for functions
 * @property {string} store one of STORES
 * @property {string} detect one of DETECTORS
 * @property {string} filter one of FILTERS
 * @property {string} schema one of SCHEMAS
 * @property {string | null} loop one of LOOPS, if the app takes the parts
 */

/**
 * @param {(limit: number) => number} below a random integer
 * @returns {Case}
 */
module.exports = function createCase (below) {
  const some = (list) => list[below(list.length)]
  const isOwn = below(2) === 0
  const { body, boundary, pieces } = isOwn ? randomForm(below(2 ** 31)) : ofMulter(drawForMulter(below))
  const coding = some(CODINGS)
  const type = isOwn ? `multipart/form-data; boundary="${boundary}"` : some(TYPES)
  const content = encode(coding, body)
  return {
    text: body.toString('latin1'),
    pieces: coding === 'identity' ? pieces : cut(content, below),
    headers: {
      ...type !== '' && { 'content-type': type },
      ...digestsOf(content)[some(DIGESTS)],
      ...headersOf(coding, some(LENGTHS), content.length)
    },
    options: createOptions(some, below),
    store: some(STORES),
    detect: some(DETECTORS),
    filter: some(FILTERS),
    schema: some(SCHEMAS),
    loop: below(3) === 0 ? some(LOOPS) : null
  }
}

const ofMulter = ({ body: pieces }) => ({ body: Buffer.concat(pieces), pieces })

function encode (coding, body) {
  const coders = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }
  return coders[coding]?.(body) ?? body
}

const digestsOf = (content) => ({
  right: { 'content-digest': digestOf(content) },
  wrong: { 'content-digest': digestOf('other', 'sha-512') },
  odd: { 'content-digest': 'md5=:eA==:, a' }
})

function headersOf (coding, length, size) {
  const more = { less: -1, more: 1 }[length] ?? 0
  return {
    ...coding !== 'identity' && { 'content-encoding': coding },
    ...length === 'chunked' && { 'transfer-encoding': 'chunked' },
    ...!['chunked', 'none'].includes(length) && { 'content-length': String(Math.max(size + more, 0)) }
  }
}

function createOptions (some, below) {
  const options = {}
  for (const [name, [count, values]] of Object.entries(OPTIONS)) if (below(count) === 0) options[name] = some(values)
  if (below(4) === 0) Object.assign(options, { extended: true, ...below(3) === 0 && { depth: below(3) } })
  return options
}
