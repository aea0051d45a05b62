'use strict'

// Past security advisories of body-parser and of its dependencies, tried against
// this package. SECURITY.md describes each.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const manifest = require('../../package.json')
const { table } = require('../support/table')
const { form: formOf, upload } = require('../support/upload')

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A row for a form, extended by default. */
function form (it, body, expect, options = { extended: true }) {
  return { it, parser: 'urlencoded', options, headers: FORM, body, expect, arrivals: ['together'] }
}

const times = (count, text) => Array(count).fill(text).join('&')
const tooMany = { error: { status: 413, type: 'parameters.too.many' } }
const tooDeep = { error: { status: 400, type: 'querystring.parse.rangeError' } }

describe('advisories', () => {
  describe('of body-parser', () => {
    table([
      form('CVE-2024-45590: refuses a form of many levels', `a${'[b]'.repeat(30_000)}=1`, tooDeep),
      form('CVE-2024-45590: does not nest a form by default', `a${'[b]'.repeat(1000)}=1`, { body: { [`a${'[b]'.repeat(1000)}`]: '1' } }, {}),
      form('CVE-2025-13466: refuses thousands of parameters within the limit', times(25_000, 'a=1'), tooMany),
      form('CVE-2025-13466: refuses thousands of parameters in a simple form', times(25_000, 'a=1'), tooMany, {})
    ])
  })

  describe('of body-parser: options', () => {
    for (const limit of ['', 'abc', NaN, true, {}, 5n]) {
      it(`CVE-2026-12590: refuses an invalid limit instead of having none: ${typeof limit} ${String(limit)}`, () => {
        for (const name of ['json', 'raw', 'text', 'urlencoded']) assert.throws(() => subject[name]({ limit }), { name: 'TypeError', message: `option limit "${limit}" is invalid` })
      })
    }
  })

  describe('of qs', () => {
    table([
      form('CVE-2014-7191: makes no array of an index in the millions', 'a[100000000]=1', { body: { a: { 100000000: '1' } } }),
      form('CVE-2014-10064: refuses a form of many levels', `a${'[b]'.repeat(33)}=1`, tooDeep),
      form('CVE-2017-1000048: keeps names of Object.prototype to the form', 'toString=1&a[hasOwnProperty]=2&]=toString',
        { body: { toString: '1', a: { hasOwnProperty: '2' }, ']': 'toString' } }),
      form('CVE-2022-24999: drops __proto__, at any level', '__proto__[x]=1&a[__proto__]=b&a[__proto__]&a[length]=100000000',
        { body: { a: { length: '100000000' } } }),
      form('CVE-2022-24999: drops __proto__ from a simple form', '__proto__=1&a[__proto__]=b', { body: { 'a[__proto__]': 'b' } }, {}),
      form('CVE-2025-15284: makes an array of as many [] as parameterLimit allows', times(1000, 'a[]=1'), { body: { a: Array(1000).fill('1') } }),
      form('CVE-2025-15284: refuses more of [] than parameterLimit', times(1001, 'a[]=1'), tooMany),
      form('CVE-2026-2391: does not read commas as a list', `a=${','.repeat(5000)}`, { body: { a: ','.repeat(5000) } }),
      form('CVE-2026-82562: does not read commas as a list', `a=${',1'.repeat(5000)}&a[]=${','.repeat(5000)}`, { body: { a: [',1'.repeat(5000), ','.repeat(5000)] } })
    ])

    it('left Object.prototype unchanged by the forms above', () => {
      assert.equal({}.x, undefined)
      assert.equal({}.toString(), '[object Object]')
    })
  })

  describe('of multer and formidable', () => {
    let folder
    let store

    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'advisories-'))
      store = subject.multipart.disk(folder)
    })
    afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

    const multer = 'CVE-2025-48997 and those after it'
    const big = formOf(['f', Buffer.alloc(100_000), 'x'])

    it(`${multer}: takes a file without a name of its field for any other`, async () => {
      const { calls, error } = await upload(subject.multipart({ store, files: { f: {} } }), formOf(['', 'content', 'x']))
      assert.deepEqual([calls, error.status], [1, 400])
    })

    it(`${multer}: refuses malformed parts once, and goes on serving`, async () => {
      for (const body of ['--b\r\n', '--b\r\n\r\n\r\n--b--', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n', 'junk', '']) {
        const { calls, error } = await upload(subject.multipart({ store }), Buffer.from(body))
        assert.deepEqual([calls, error?.status, fs.readdirSync(folder)], [1, 400, []], body)
      }
    })

    it(`${multer}: refuses names that nest deeply`, async () => {
      const body = formOf([`a${'[b]'.repeat(60)}`, '1'])
      const { calls, error } = await upload(subject.multipart({ store, extended: true }), body)
      assert.deepEqual([calls, error.status], [1, 400])
    })

    it(`${multer}: leaves neither files nor descriptors of uploads that are cut off`, async () => {
      for (const length of [0, 50, 1000, 90_000]) {
        const { calls, error } = await upload(subject.multipart({ store }), big.subarray(0, length), { cut: true })
        assert.deepEqual([calls, error.type], [1, 'request.aborted'])
      }
      assert.deepEqual(fs.readdirSync(folder), [])
      const open = process.platform === 'linux' ? fs.readdirSync('/proc/self/fd') : []
      const isOurs = (fd) => fs.existsSync(`/proc/self/fd/${fd}`) && fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
      assert.deepEqual(open.filter(isOurs), [])
    })

    it(`${multer}: counts the bytes of a file that the app's store does not read`, async () => {
      const { error } = await upload(subject.multipart({ store: async () => {}, limit: '10mb', files: { f: { size: 1000 } } }), big)
      assert.equal(error.status, 413)
    })

    it('CVE-2025-46653: gives files names that cannot be guessed', async () => {
      const names = []
      const parser = subject.multipart({ store })
      const handle = () => names.push(...fs.readdirSync(folder))
      for (let i = 0; i < 3; i++) await upload(parser, formOf(['f', 'x', 'name']), { handle })
      assert.equal(new Set(names).size, 3)
      for (const name of names) assert.match(name, /[0-9a-f-]{32}/)
    })
  })

  describe('of bodyLimit, in several frameworks', () => {
    const large = JSON.stringify({ a: 'x'.repeat(2000) })
    const options = { limit: 1000 }
    const expect = { error: { status: 413, type: 'entity.too.large' } }
    const JSON_TYPE = { 'Content-Type': 'application/json' }
    table([
      { it: 'counts the bytes of a chunked body', parser: 'json', options, headers: JSON_TYPE, body: large, chunked: true, expect, arrivals: ['together'], ignore: ['received'] },
      { it: 'refuses a declared length', parser: 'json', options, headers: JSON_TYPE, body: large, expect, arrivals: ['together'] },
      { it: 'counts decompressed bytes, whatever length is declared', parser: 'json', options, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync(large), expect, arrivals: ['together'] }
    ])
  })

  describe('of debug', () => {
    it('CVE-2025-59144: the compromised version is out of range', () => {
      assert.equal(manifest.dependencies.debug, '^4.4.3') // it was 4.4.2
    })
  })
})
