'use strict'

// What a rule of `files` does besides its limits: it skips, requires, stores and groups.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const { setTimeout: delay } = require('node:timers/promises')
const { text } = require('node:stream/consumers')
const { multipart } = require('../../../')
const useFolder = require('../../support/folder')
const { form, iterate, shown, upload } = require('../../support/upload')

const MEGABYTE = 2 ** 20
const big = Buffer.alloc(MEGABYTE, 'abcdefg')
const namesOf = ({ files }) =>
  Object.fromEntries(Object.entries(files).map(([group, list]) => [group, list.map(({ name }) => name)]))

describe('a filter', () => {
  const isWanted = ({ name }) => name !== 'skipped'
  // [what, filter]
  const filters = [
    ['takes its time', (file) => delay(5, isWanted(file))],
    ['returns any value', (file) => isWanted(file) ? 'yes' : ''],
    ['returns a thenable', (file) => ({ then: (resolve) => resolve(isWanted(file)) })]
  ]
  const body = form(['a', '1'], ['f', big, 'skipped'], ['f', 'x', 'one'], ['f', '', 'skipped'], ['b', '2'],
    ['f', '', 'two'], ['f', 'y', 'skipped'])
  const arrivals = [
    [body],
    Array.from({ length: 12 }, (_, i) => body.subarray(i * 90_000, (i + 1) * 90_000)),
    [body.subarray(0, 200), body.subarray(200)]
  ]
  for (const [index, [what, filter]] of filters.entries()) {
    const pieces = arrivals[index % arrivals.length]
    it(`that ${what} decides which files are skipped, in ${pieces.length} pieces`, async () => {
      const seen = await upload(multipart({ limit: '4mb', files: { f: { max: 2, size: 10, filter } } }), pieces)
      assert.deepEqual([seen.error, { ...seen.body }], [undefined, { a: '1', b: '2' }])
      assert.deepEqual(seen.files.f.map(({ name, bytes }) => [name, String(bytes)]), [['one', 'x'], ['two', '']])
    })
  }

  it('is asked once for each file, with what its header says, and the request', async () => {
    const calls = []
    const filter = (file, { req, fields, signal }) => {
      calls.push([file, req.url, { ...fields }, signal.aborted])
      file.name = 'mine' // changes nothing
      return true
    }
    const seen = await upload(multipart({ files: { f: { max: 2, filter } } }),
      form(['a', '1'], ['f', 'x', '../c/d/one', 'a/b'], ['f', 'y', 'two']))
    assert.deepEqual(calls, [
      [{ field: 'f', name: 'mine', folder: 'c/d', type: 'a/b' }, '/', { a: '1' }, false],
      [{ field: 'f', name: 'mine', folder: '', type: 'text/plain' }, '/', { a: '1' }, false]
    ])
    assert.deepEqual(namesOf(seen), { f: ['one', 'two'] })
  })

  it('is not asked about a form control without a file, but about one with bytes and no name', async () => {
    for (const [isTaken, end] of [[true, ''], [false, ''], [true, '\r\n'], [false, '\r\n']]) {
      let calls = 0
      const filter = async () => { calls++; return isTaken }
      const part = (value) => `--b\r\nContent-Disposition: form-data; name="f"; filename=""\r\n\r\n${value}\r\n`
      const seen = await upload(multipart({ files: { f: { size: 2, filter } } }),
        Buffer.from(`${part('')}${part('xy')}--b--${end}`))
      assert.deepEqual([seen.error, calls, seen.files.f?.map(({ bytes }) => String(bytes))],
        [undefined, 1, isTaken ? ['xy'] : undefined])
    }
  })

  it('goes before the limits of its rule, which count the files that are taken', async () => {
    const files = { f: { types: ['image/png'], filter: ({ type }) => type === 'image/png' } }
    const seen = await upload(multipart({ files }),
      form(['f', 'x', 'one'], ['f', 'y', 'two', 'image/png'], ['f', 'z', 'three']))
    assert.deepEqual([seen.error, namesOf(seen)], [undefined, { f: ['two'] }])
    const more = await upload(multipart({ files }),
      form(['f', 'y', 'one', 'image/png'], ['f', 'y', 'two', 'image/png']))
    assert.deepEqual(shown(more.error),
      { status: 413, type: 'multipart.files.too.many', limit: 1, field: 'f', part: 2 })
  })

  const refuse = () => { throw Object.assign(new Error('no'), { status: 409 }) }
  for (const [what, filter, message] of [
    ['throws', refuse, 'no'],
    ['destroys the request and then rejects', async (file, { req }) => { // mocha fails a test that leaves a rejection
      req.destroy()
      refuse()
    }, 'request aborted']
  ]) {
    it(`that ${what} fails the form`, async () => {
      const seen = await upload(multipart({ limit: '4mb', files: { f: { max: 9, filter } } }), body)
      await delay(5)
      const status = message === 'no' ? 409 : 400
      assert.deepEqual([seen.error.message, seen.error.status, seen.calls], [message, status, 1])
    })
  }

  it('that never decides ends with the deadline, and with the client', async () => {
    const reasons = []
    const filter = (file, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason.type))
      return new Promise(() => {})
    }
    const late = await upload(multipart({ timeout: 50, files: { f: { filter } } }), form(['f', '1', 'x']))
    const left = await upload(multipart({ limit: '4mb', files: { f: { filter } } }),
      form(['f', big, 'x']).subarray(0, 100), { cut: true })
    assert.deepEqual([late.error.type, late.calls, left.error.type, left.calls],
      ['request.timeout', 1, 'request.aborted', 1])
    assert.deepEqual(reasons, ['request.timeout', 'request.aborted'])
  })

  it('that decides after the form has failed opens no store', async () => {
    let calls = 0
    const filter = (file, { signal }) => once(signal, 'abort').then(() => true)
    const seen = await upload(multipart({ timeout: 20, store: () => { calls++ }, files: { f: { filter } } }),
      form(['f', '1', 'x']))
    await delay(5)
    assert.deepEqual([seen.error.type, seen.calls, calls], ['request.timeout', 1, 0])
  })
})

describe('the store of a rule', () => {
  const folder = useFolder()

  it('takes its files, and option `store` those of the other rules', async () => {
    const files = { a: { store: multipart.disk(folder.at()) }, b: { store: 'memory' }, '*': {} }
    await upload(multipart({ files, store: text }), form(['a', '1', 'x'], ['b', '2', 'y'], ['c', '3', 'z']), {
      handle ({ files: { a, b, c } }) {
        assert.deepEqual([fs.readFileSync(a[0].path, 'utf8'), String(b[0].bytes), c[0].value], ['1', '2', '3'])
      }
    })
  })
})

describe('a rule', () => {
  // [what, files, names of the fields, their groups]
  const groups = [
    ['takes the files of its name with brackets, or with an index', { photos: { max: 4 } },
      ['photos[]', 'photos[0]', 'photos', 'photos[17]'], { photos: 4 }],
    ['leaves those that have a rule of their own', { photos: {}, 'photos[]': {} }, ['photos[]', 'photos[1]'],
      { 'photos[]': 1, photos: 1 }],
    ['leaves other brackets to `*`', { photos: {}, '*': { max: 5 } },
      ['photos[a]', 'photos[0][1]', 'photos[]x', 'photos[-1]', '[]'],
      { 'photos[a]': 1, 'photos[0][1]': 1, 'photos[]x': 1, 'photos[-1]': 1, '[]': 1 }],
    ['leaves brackets within a name to `*`', { photosx: {}, '*': {} }, ['photos[]x'], { 'photos[]x': 1 }],
    ['for all other names keeps their names', { '*': { max: 3 } }, ['a[]', 'a[0]', 'constructor[]'],
      { 'a[]': 1, 'a[0]': 1, 'constructor[]': 1 }]
  ]
  for (const [what, files, fields, expected] of groups) {
    it(what, async () => {
      const seen = await upload(multipart({ files }), form(...fields.map((field, index) => [field, '1', `${index}`])))
      assert.equal(seen.error, undefined)
      assert.deepEqual(Object.fromEntries(Object.entries(seen.files).map(([group, { length }]) => [group, length])),
        expected)
      assert.deepEqual(Object.values(seen.files).flat().sort((a, b) => a.name - b.name).map(({ field }) => field),
        fields)
    })
  }

  const photos = (count) =>
    form(...Array.from({ length: count }, (_, i) => [i % 2 ? 'photos[]' : 'photos', 'xyz', `${i}`]))
  const min = { photos: { min: 2, max: 3 } }
  // [what, options, body, error]
  const limits = [
    ['requires its least files', { files: min }, photos(1),
      { status: 400, type: 'multipart.files.too.few', limit: 2, field: 'photos' }],
    ['takes its most files', { files: min }, photos(3), {}],
    ['refuses more, whatever their brackets', { files: min }, photos(4),
      { status: 413, type: 'multipart.files.too.many', limit: 3, field: 'photos[]', part: 4 }],
    ['requires files of any name', { files: { '*': { min: 1 } } }, form(['a', '1']),
      { status: 400, type: 'multipart.files.too.few', limit: 1 }],
    ['requires files that are not skipped', { files: { photos: { min: 1, max: 3, filter: () => false } } }, photos(3),
      { status: 400, type: 'multipart.files.too.few', limit: 1, field: 'photos' }],
    ['has room for files up to the total', { files: min, total: 9 }, photos(3), {}],
    ['refuses files over the total', { files: min, total: 8 }, photos(3),
      { status: 413, type: 'multipart.files.too.large', limit: 8, field: 'photos', part: 3 }],
    ['refuses a file over its size before one over the total', { files: { '*': { size: 2 } }, total: 2 }, photos(1),
      { status: 413, type: 'multipart.file.too.large', limit: 2, field: 'photos', part: 1 }],
    ['does not count files that are skipped for the total',
      { files: { photos: { max: 3, filter: ({ name }) => name !== '0' } }, total: 6 }, photos(3), {}]
  ]
  for (const [what, options, body, error] of limits) {
    it(what, async () => {
      const seen = await upload(multipart(options), [body.subarray(0, 70), body.subarray(70)])
      assert.deepEqual([shown(seen.error ?? {}), seen.calls], [error, 1])
    })
  }

  it('that requires files says so in a message, and at the end of a loop over the parts', async () => {
    const parser = multipart({ files: { avatar: { min: 1 } } })
    const { error: { message } } = await upload(parser, form(['a', '1']))
    assert.equal(message, 'multipart: files too few (field "avatar"): at least 1')
    const fields = []
    const { error } = await upload(iterate(parser, async (parts) => {
      for await (const { field } of parts) fields.push(field)
    }), form(['a', '1']))
    assert.deepEqual([error.type, fields], ['multipart.files.too.few', ['a']])
  })
})
