'use strict'

// Options that limit a form: those that contradict each other are refused when the parser is made.

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const { multipart } = require('../../../')
const { form, shown, upload } = require('../../support/upload')

const MIB = 2 ** 20

describe('options that limit a form', () => {
  // [options, what can never be reached, why, advice]
  const atOdds = [
    [{ fields: { max: 5 }, parts: { max: 4 } },
      'fields.max (5)', 'parts.max is 4', 'Raise parts.max to at least 5'],
    [{ files: { a: { max: 5, size: 1 } }, total: 5, parts: { max: 4 } },
      'files.a.max (5)', 'parts.max is 4', 'Raise parts.max to at least 5'],
    [{ fields: { size: '5mb' }, limit: '2mb' },
      'fields.size (5 MB)', 'limit, for the whole form, is 2 MB', 'Raise limit to more than 5 MB'],
    [{ files: { a: { size: 5 }, b: { size: 1024 } }, limit: '1kb' },
      'files.b.size (1 KB)', 'limit, for the whole form, is 1 KB', 'Raise limit to more than 1 KB'],
    [{ files: { a: { size: 5 } }, limit: 5 },
      'files.a.size (5 bytes)', 'limit, for the whole form, is 5 bytes', 'Raise limit to more than 5 bytes'],
    [{ total: 1024, limit: '1kb' },
      'total (1 KB)', 'limit, for the whole form, is 1 KB', 'Raise limit to more than 1 KB'],
    [{ files: { a: { size: 6 } }, total: 5, limit: () => 1 },
      'files.a.size (6 bytes)', 'total, for all files, is 5 bytes', 'Raise total to at least 6 bytes'],
    [{ total: '20mb', files: { a: { size: '2mb', max: 2 } } },
      'total (20 MB)', 'the rules in files allow 4 MB', 'Lower total to 4 MB'],
    [{ total: '1mb', files: false },
      'total (1 MB)', 'the rules in files allow 0 bytes', 'Lower total to 0 bytes']
  ]
  for (const [options, what, why, advice] of atOdds) {
    it(`are refused where ${what} can never be reached, as ${why}: ${inspect(options, { depth: 3 })}`, () => {
      const message = `option ${what} can never be reached: ${why}. ${advice}, or leave it out.`
      assert.throws(() => multipart(options), { name: 'TypeError', message })
    })
  }

  // [what, options]
  const fitting = [
    ['fields.max of parts.max', { fields: { max: 4 }, parts: { max: 4 } }],
    ['any number of fields', { fields: { max: Infinity }, parts: { max: 4 } }],
    ['a max of parts.max', { files: { a: { max: 4 } }, parts: { max: 4 } }],
    ['a size of the total', { files: { a: { size: 5 } }, total: 5 }],
    ['a size below the limit', { files: { a: { size: 1023 } }, limit: '1kb' }],
    ['a size over the limit, of fields that are not allowed', { fields: { max: 0, size: '5mb' }, limit: '1mb' }],
    ['a size over the total, of files that are not allowed', { files: { a: { max: 0, size: 6 }, '*': {} }, total: 5 }],
    ['a total of all files', { files: { a: { max: 2, size: 5 } }, total: 10 }],
    ['a total of files that nothing else bounds', { files: { a: {} }, total: 10 }],
    ['a total below the limit', { total: 1023, limit: '1kb' }],
    ['a total without a bound', { files: { a: { size: 5 } }, total: Infinity, limit: '1kb' }],
    ['a size, where a function decides the limit', { files: { a: { size: 5 } }, total: 5, limit: () => 1 }]
  ]
  for (const [what, options] of fitting) {
    it(`may have ${what}`, () => assert.equal(typeof multipart(options), 'function'))
  }

  // [what, options, body, error]
  const met = [
    ['many fields', { fields: { max: 1000 }, limit: '20kb' }, form(...Array.from({ length: 1000 }, () => ['a', '1'])),
      { status: 413, type: 'entity.too.large', limit: 20480 }],
    ['a long name', { files: { photos: {} }, parts: { name: 5 } }, form(['photos', 'x', 'x.png']),
      { status: 413, type: 'multipart.name.too.long', limit: 5, field: 'photos', part: 1 }],
    ['parts that a rule requires', { files: { a: { min: 2, max: 2 } }, fields: { max: 3 }, parts: { max: 4 } },
      form(...[1, 2].map(() => ['a', 'x', 'x.png']), ...[1, 2, 3].map(() => ['b', '1'])),
      { status: 413, type: 'multipart.parts.too.many', limit: 4, part: 5 }]
  ]
  for (const [what, options, body, expected] of met) {
    it(`refuse a form that has ${what}, where another limit is lower`, async () => {
      const { error } = await upload(multipart(options), body)
      assert.deepEqual(shown(error), expected)
    })
  }

  // [what, options, body]
  const many = (count, ...part) => form(...Array.from({ length: count }, () => part))
  const large = [
    ['1000 fields', { fields: { max: 1000 } }, many(1000, 'a', '1')],
    ['a field of 2 MB, of any number of fields', { fields: { max: Infinity, size: '2mb' } },
      form(['a', Buffer.alloc(2 * MIB, 'a')])],
    ['three fields of 2 MB', { fields: { max: 3, size: '2mb' } }, many(3, 'a', Buffer.alloc(2 * MIB, 'a'))],
    ['300 files that are required', { files: { a: { min: 300, max: 300 } } }, many(300, 'a', 'x', 'x.png')]
  ]
  for (const [what, options, body] of large) {
    it(`allow ${what} without another option`, async () => {
      const { error, body: fields } = await upload(multipart(options), body)
      assert.deepEqual([error && shown(error), typeof fields], [undefined, 'object'])
    })
  }
})

describe('a form that is too large', () => {
  const ways = [
    ['of a declared length', (options, body) => upload(multipart(options), body)],
    ['without a length, in pieces', (options, body) => upload(multipart(options), piecesOf(body), { chunked: true })],
    ['that was read before', async (options, body) => {
      const parser = multipart({ ...options, buffered: true })
      return upload((req, res, next) => req.resume().once('end', () => {
        parser(Object.assign(req, { rawBody: body }), res, next)
      }), body)
    }]
  ]
  const piecesOf = (body) =>
    Array.from({ length: Math.ceil(body.length / 50_000) }, (_, at) => body.subarray(at * 50_000, (at + 1) * 50_000))
  const fileError = { status: 413, type: 'multipart.file.too.large', limit: MIB, field: 'avatar', part: 1 }
  const fieldError = { status: 413, type: 'multipart.field.too.large', limit: 102400, field: 'a', part: 1 }
  const formError = { status: 413, type: 'entity.too.large', limit: 2 * MIB }
  const photos = { files: { photo: { size: '1mb' }, other: {} } } // and so a limit of 2 MB

  for (const [way, send] of ways) {
    it(`has the error of the rule, ${way}`, async () => {
      const { error } = await send({ files: { avatar: { size: '1mb' } } },
        form(['avatar', Buffer.alloc(Math.round(2.3 * MIB)), 'x.png']))
      assert.deepEqual([shown(error), error.message],
        [fileError, 'multipart: file too large (field "avatar"): at most 1 MB'])
    })

    it(`has the error of its field, ${way}`, async () => {
      const { error } = await send({}, form(['a', Buffer.alloc(2 * MIB)]))
      assert.deepEqual([shown(error), error.message],
        [fieldError, 'multipart: field too large (field "a"): at most 100 KB'])
    })

    it(`has the error of all files, ${way}`, async () => {
      const { error } = await send({ total: '1mb' }, form(['f', Buffer.alloc(1.5 * MIB), 'x.png']))
      assert.deepEqual(shown(error), { ...fileError, type: 'multipart.files.too.large', field: 'f' })
    })

    it(`is over the limit, with the part that was read, ${way}`, async () => {
      const within = await send(photos,
        form(['other', Buffer.alloc(1.8 * MIB), 'x'], ['photo', Buffer.alloc(0.9 * MIB), 'y']))
      assert.deepEqual(shown(within.error), { ...formError, field: 'photo', part: 2 })
      assert.equal(within.error.message, 'multipart: form too large (field "photo"): at most 2 MB')
      assert.ok(within.error.received > 2 * MIB)
    })

    it(`is over the limit with its epilogue, and not with as much, ${way}`, async () => {
      const body = form(['a', '1'])
      const filled = Buffer.concat([body, Buffer.alloc(MIB - body.length)])
      assert.equal((await send({}, filled)).error, undefined)
      const { error } = await send({}, Buffer.concat([filled, Buffer.alloc(1)]))
      assert.deepEqual([error.type, error.limit], ['entity.too.large', MIB])
    })
  }

  it('is refused by its length alone, before it is read, if limit is given', async () => {
    const body = form(['avatar', Buffer.alloc(3 * MIB), 'x.png'])
    const options = { limit: '2mb', files: { avatar: { size: '1mb' } } }
    const { error } = await upload(multipart(options), body)
    assert.deepEqual([shown(error), error.length, error.expected, error.received],
      [formError, body.length, body.length, undefined])
    assert.equal(error.message, 'multipart: form too large: at most 2 MB')
    assert.deepEqual(shown((await upload(multipart({ ...options, limit: () => 2 * MIB }), body)).error), formError)
  })

  it('has nothing more stored of a part that reaches the limit', async () => {
    const stored = []
    const store = async (file) => { for await (const { length } of file) stored.push(length) }
    const body = form(['other', Buffer.alloc(1.8 * MIB), 'x'], ['photo', Buffer.alloc(0.9 * MIB), 'y'])
    const { error } = await upload(multipart({ ...photos, store }), piecesOf(body))
    assert.equal(error.type, 'entity.too.large')
    assert.ok(stored.reduce((sum, length) => sum + length, 0) < 2.1 * MIB)
  })
})
