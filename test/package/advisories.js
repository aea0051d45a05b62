'use strict'

// Past security advisories of body-parser, of its dependencies and of packages
// for forms with files, tried against this package. SECURITY.md describes each.

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const subject = require('fast-body-parser')
const useFolder = require('../support/folder')
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
      form('CVE-2024-45590: does not nest a form by default', `a${'[b]'.repeat(1000)}=1`,
        { body: { [`a${'[b]'.repeat(1000)}`]: '1' } }, {}),
      form('CVE-2025-13466: refuses thousands of parameters within the limit', times(25_000, 'a=1'), tooMany),
      form('CVE-2025-13466: refuses thousands of parameters in a simple form', times(25_000, 'a=1'), tooMany, {})
    ])
  })

  describe('of body-parser: options', () => {
    for (const limit of ['', 'abc', NaN, true, {}, 5n]) {
      it(`CVE-2026-12590: refuses an invalid limit instead of having none: ${typeof limit} ${String(limit)}`, () => {
        for (const name of ['json', 'raw', 'text', 'urlencoded']) {
          assert.throws(() => subject[name]({ limit }),
            { name: 'TypeError', message: `option limit "${limit}" is invalid` })
        }
      })
    }
  })

  describe('of qs', () => {
    table([
      form('CVE-2014-7191: makes no array of an index in the millions', 'a[100000000]=1',
        { body: { a: { 100000000: '1' } } }),
      form('CVE-2014-10064: refuses a form of many levels', `a${'[b]'.repeat(33)}=1`, tooDeep),
      form('CVE-2017-1000048: keeps names of Object.prototype to the form', 'toString=1&a[hasOwnProperty]=2&]=toString',
        { body: { toString: '1', a: { hasOwnProperty: '2' }, ']': 'toString' } }),
      form('CVE-2022-24999: drops __proto__, at any level',
        '__proto__[x]=1&a[__proto__]=b&a[__proto__]&a[length]=100000000',
        { body: { a: { length: '100000000' } } }),
      form('CVE-2022-24999: drops __proto__ from a simple form', '__proto__=1&a[__proto__]=b',
        { body: { 'a[__proto__]': 'b' } }, {}),
      form('CVE-2025-15284: makes an array of as many [] as parameterLimit allows', times(1000, 'a[]=1'),
        { body: { a: Array(1000).fill('1') } }),
      form('CVE-2025-15284: refuses more of [] than parameterLimit', times(1001, 'a[]=1'), tooMany),
      form('CVE-2026-2391: does not read commas as a list', `a=${','.repeat(5000)}`, { body: { a: ','.repeat(5000) } }),
      form('CVE-2026-82562: does not read commas as a list', `a=${',1'.repeat(5000)}&a[]=${','.repeat(5000)}`,
        { body: { a: [',1'.repeat(5000), ','.repeat(5000)] } })
    ])

    it('CVE-2026-82562: bounds lists with commas, also in brackets, if they are asked for', async () => {
      const parser = subject.urlencoded({ extended: true, qs: { comma: true, throwOnLimitExceeded: true } })
      for (const name of ['a', 'a[]']) {
        const { error } = await upload(parser, Buffer.from(`${name}=${'1,'.repeat(5000)}`), { headers: FORM })
        assert.deepEqual([error.status, error.type], [400, 'entity.parse.failed'])
      }
    })

    it('left Object.prototype unchanged by the forms above', () => {
      assert.equal({}.x, undefined)
      assert.equal({}.toString(), '[object Object]')
    })
  })

  describe('of multer and formidable', () => {
    const { at, countOpen, emptied, names } = useFolder()
    const big = formOf(['f', Buffer.alloc(100_000), 'x'])
    let store

    beforeEach(() => { store = subject.multipart.disk(at()) })

    /** `next` is called once, with an error that has these fields, and no file is left. */
    async function refuses (options, body, expected, message) {
      const { calls, error } = await upload(subject.multipart({ store, ...options }), body, message)
      const fields = Object.keys(expected).map((name) => [name, error?.[name]])
      assert.deepEqual([calls, Object.fromEntries(fields)], [1, expected], String(body).slice(0, 200))
      if (message?.cut) await emptied() // the app hears of it first
      else assert.deepEqual(names(), [])
    }

    it('CVE-2025-47935 and -47944: reports the refusal of a filter alone, if the rest is malformed', async () => {
      const filter = async () => { throw new Error('refused') }
      const malformed = formOf(['f', 'x', 'a']).subarray(0, -6)
      await refuses({ files: { f: { filter } } }, malformed, { message: 'refused' })
    })

    it('CVE-2025-48997: refuses a file whose field has an empty name', async () => {
      const body = formOf(['', 'content', 'x'])
      for (const files of [undefined, { f: {} }]) await refuses({ files }, body, { status: 400 })
    })

    it('CVE-2025-7338: refuses malformed parts once, and goes on serving', async () => {
      // Multer ended the process
      const unchosen = '--b\r\nContent-Disposition: form-data; name="f"; filename=""\r\n\r\nx'
      const cut = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nx'
      const nameless = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n'
      for (const body of [unchosen, cut, nameless, '--b\r\n', '--b\r\n\r\n\r\n--b--', 'junk', '']) {
        await refuses({}, Buffer.from(body), { status: 400 })
      }
    })

    for (const [names, what, message, type] of [
      ['CVE-2026-2359, -5038 and -77037', 'the client leaves', { cut: true }, 'request.aborted'],
      ['CVE-2026-3304 and -5079', 'the form is malformed', {}, 'multipart.unterminated']
    ]) {
      it(`${names}: leaves neither files nor descriptors if ${what}`, async () => {
        const late = async (...args) => { // decides after the error
          await delay(20)
          return args.length
        }
        for (const ofFile of [store, late]) {
          for (const length of [120, 1000, 90_000]) {
            await refuses({ store: ofFile }, big.subarray(0, length), { type }, message)
          }
        }
        assert.equal(countOpen(), 0)
      })
    }

    it('CVE-2026-3520: lets go of thousands of files in memory at once', async () => {
      const body = formOf(...Array(5000).fill(['f', 'x', 'a']), ['a', '1'], ['b', '2'])
      const options = { store: 'memory', files: { f: { max: 5000 } }, fields: { max: 1 } }
      await refuses(options, body, { type: 'multipart.fields.too.many' })
    })

    it('CVE-2026-5038 and -5079: refuses names that nest deeply', async () => {
      const { status, type } = tooDeep.error
      await refuses({ extended: true }, formOf([`a${'[b]'.repeat(33)}`, '1']), { status, type })
    })

    it('CVE-2026-77037, -77063 and -77078: makes no array of an index in the millions', async () => {
      const body = formOf(['a[4294967294]', '1'], ['a[]', '2']) // the second one ended the process with multer
      const seen = await upload(subject.multipart({ store, extended: true }), body)
      assert.deepEqual([seen.error, seen.body], [undefined, { a: { 4294967294: '1', 0: '2' } }])
    })

    it('CVE-2026-77037, -77063 and -77078: counts the bytes of a file before the app decides about it', async () => {
      for (const store of [async () => {}, () => delay(20)]) {
        await refuses({ store, limit: '10mb', files: { f: { size: 1000 } } }, big, { status: 413 })
      }
    })

    it('CVE-2025-46653: gives files names that cannot be guessed', async () => {
      const seen = []
      const handle = () => seen.push(...names())
      for (let i = 0; i < 3; i++) await upload(subject.multipart({ store }), formOf(['f', 'x', 'name']), { handle })
      assert.equal(new Set(seen).size, 3)
      for (const name of seen) assert.match(name, /[0-9a-f-]{32}/)
    })
  })
})
