'use strict'

const assert = require('node:assert/strict')
const { formTooLarge } = require('../../../lib/uploads/multer/errors')
const { outcomeOf } = require('../../support/multer-outcome')
const { HEAD, agree, agreed, any, both, field, file, form, ours, part } = require('../../support/multer-rows')
const { upload } = require('../../support/upload')

const limited = (limits, options) => ({ limits, ...options })

describe('multer: limits', () => {
  it('have a code, a message and a field', async () => {
    const { error } = await agreed({ body: form(file('x')), make: any(limited({ fileSize: 1 })) })
    assert.deepEqual(error, {
      name: 'MulterError',
      message: 'File too large',
      code: 'LIMIT_FILE_SIZE',
      field: 'x',
      filename: 'a.txt',
      storageErrors: []
    })
  })

  agree({
    'fileSize: as many': [form(file('x')), limited({ fileSize: 2 })],
    'fileSize: an empty file': [form(file('x', 'a', '')), limited({ fileSize: 0 })],
    'fileSize: one more': [form(field('a'), file('x')), limited({ fileSize: 1 })],
    'fieldSize: as many': [form(field('a')), limited({ fieldSize: 1 })],
    'fieldSize: one more': [form(field('a', '12')), limited({ fieldSize: 1 })],
    'fieldSize: more, byte by byte': [[...form(field('a', '1234'))], limited({ fieldSize: 1 })],
    'fieldSize: by default': [form(field('a', 'x'.repeat(1024 * 1024 + 1)))],
    'fieldSize: the default': [form(field('a', 'x'.repeat(1024 * 1024)))],
    'fieldNameSize: as many': [form(field('a')), limited({ fieldNameSize: 1 })],
    'fieldNameSize: characters': [form(field('é')), limited({ fieldNameSize: 1 })],
    'fieldNameSize: characters of UTF-8': [
      form(field('é')),
      limited({ fieldNameSize: 1 }, { defParamCharset: 'utf8' })
    ],
    'fieldNameSize: escapes that browsers write, as they are': [form(field('%22')), limited({ fieldNameSize: 2 })],
    'fieldNameSize: escapes, as many': [form(field('%0a'), file('%22')), limited({ fieldNameSize: 3 })],
    'fieldNameSize: one more': [form(field('ab')), limited({ fieldNameSize: 1 })],
    'fieldNameSize: of a file': [form(file('ab')), limited({ fieldNameSize: 1 })],
    'fields: as many': [form(field('a')), limited({ fields: 1 })],
    'fields: one more': [form(field('a'), field('b'), file('x')), limited({ fields: 1 })],
    'files: as many': [form(file('a')), limited({ files: 1 })],
    'files: none': [form(file('a')), limited({ files: 0 })],
    'files: fields do not count': [form(field('a')), limited({ files: 0 })],
    'files: one that the user has not chosen': [
      form(part(`${HEAD}"x"; filename=""\r\nContent-Type: application/octet-stream`, ''), file('b')),
      limited({ files: 1 })
    ],
    'parts: as many': [form(field('a')), limited({ parts: 1 })],
    'headerPairs: no effect': [form(part(`X: y\r\n${HEAD}"p"`), field('a')), limited({ headerPairs: 1 })],
    'two limits at once': [form(field('ab')), limited({ fieldNameSize: 1, fieldSize: 0 })],
    'two limits of a file at once': [
      form(file('ab')), (multer) => multer({ limits: { fieldNameSize: 1 } }).single('x')
    ],
    'null and undefined': [form(file('a')), limited({ fileSize: null, files: undefined })],
    'fieldNestingDepth: of a file': [form(file('a[b]')), limited({ fieldNestingDepth: 0 })],
    'fieldArrayIndexLimit: of a file': [form(file('a[2]')), limited({ fieldArrayIndexLimit: 1 })],
    'fieldNestingDepth and fieldArrayIndexLimit': [
      form(field('a[2][3]')),
      limited({ fieldArrayIndexLimit: 1, fieldNestingDepth: 1 })
    ]
  })
  for (const name of ['a', 'a[b]', 'a[b][c]', 'a[]', 'a[b][]', 'a[b', 'a[][b]', 'a[b]c[d]', '[a][b]']) {
    agree({ [`fieldNestingDepth: ${name}`]: [form(field(name)), limited({ fieldNestingDepth: 1 })] })
  }
  for (const name of [
    'a[1]', 'a[2]', 'a[02]', 'a[99999999999999999999]', 'a[b][2]', 'a[2]x', 'a[2', 'a[2][b]', '2', 'a[-2]', 'x[2]y[z]',
    '2[a]', 'a[1e3]'
  ]) {
    agree({ [`fieldArrayIndexLimit: ${name}`]: [form(field(name)), limited({ fieldArrayIndexLimit: 1 })] })
  }
  agree({
    'a function of the request': [form(file('a')), { limits: ({ method }) => ({ fileSize: method.length - 3 }) }],
    'a function that throws': [form(file('a')), { limits: () => { throw new Error('no') } }],
    'a function that returns nothing': [form(file('a')), { limits: () => {} }],
    'a function that returns a size below 0': [form(file('a')), { limits: () => ({ fileSize: -1 }) }]
  })
})

describe('multer: limits that are a promise', () => {
  it('are refused, where multer takes them for none', async () => {
    const message = 'Expected limits to be an object, not a promise'
    for (const limits of [async () => ({ fileSize: 1 }), async () => { throw new Error('limits') }]) {
      const { calls, error } = await outcomeOf(ours, { body: form(file('x')), make: any({ limits }) })
      assert.deepEqual([calls, error.message], [1, message])
    }
    assert.throws(() => ours({ limits: Promise.reject(new Error('limits')) }), { name: 'TypeError', message })
  })
})

describe('multer: limits.total', () => {
  const body = form(file('x', 'a', 'x'.repeat(100)), field('a'))

  it('bounds the whole form, which multer does not', async () => {
    const [seen, theirs] = await both({ body, make: any({ limits: { total: body.length - 1 } }) })
    assert.deepEqual([seen.error.code, seen.error.message, seen.status],
      ['LIMIT_TOTAL_SIZE', `Form too large: at most ${body.length - 1} bytes`, 413])
    assert.deepEqual([seen.error.storageErrors, theirs.error], [[], undefined])
  })

  it('has the limit in the stack of its error as well', () => {
    assert.match(formTooLarge({ limit: 1024 }).stack,
      /^MulterError: Form too large: at most 1 KB\n {4}at (?!formTooLarge)/)
  })

  it('lets a form pass that is as large', () => agreed({ body, make: any({ limits: { total: body.length } }) }))

  it('follows from the size and the number of files', () => {
    const { completeLimits } = require('../../../lib/uploads/multer/limits')
    const totalOf = (limits, maxFiles = Infinity, isInMemory = false) =>
      completeLimits(limits, { maxFiles, isInMemory }).total
    const PART = 16 * 1024 + 128
    assert.equal(totalOf({ fileSize: 1000, files: 2 }), 2 * (1000 + PART) + 100e6)
    assert.equal(totalOf({ fileSize: 1000 }, 3), 3 * (1000 + PART) + 100e6)
    assert.equal(totalOf({ fileSize: 1000, files: 2, fields: 5, fieldSize: 10 }),
      2 * (1000 + PART) + 5 * (10 + PART) + PART)
    assert.equal(totalOf({}, 0), 100e6)
    assert.equal(totalOf({ fileSize: 500e6 }), Infinity)
    assert.equal(totalOf({}), Infinity)
    assert.equal(totalOf({ fileSize: 500e6 }, Infinity, true), 600e6)
    assert.equal(totalOf(undefined, Infinity, true), 100e6)
    assert.equal(totalOf({ total: 5, fileSize: 500e6 }, Infinity, true), 5)
  })

  it('does not count a route\'s maximum if a filter may leave files out', async () => {
    const make = (multer) =>
      multer({
        limits: { fileSize: 1, fields: 0 },
        fileFilter: (req, file, done) => done(null, file.originalname === 'b')
      }).single('x')
    await agreed({ body: form(file('x', 'a', 'x'.repeat(100e3)), file('x', 'b', '')), make })
  })

  it('leaves the error to the limit of a part, unless it is given', async () => {
    const limits = { fileSize: 1000, fields: 1, fieldSize: 10 } // which allow some 50 KB
    const make = (limits) => (multer) => multer({ limits }).single('x')
    const large = 'x'.repeat(200e3)
    const rows = [
      [form(file('x', 'a', large)), 'LIMIT_FILE_SIZE', 'x'],
      [form(field('a', large)), 'LIMIT_FIELD_VALUE', 'a']
    ]
    for (const [body, code, field] of rows) {
      const { error } = await agreed({ body, make: make(limits) })
      assert.deepEqual([error.code, error.field], [code, field])
      const given = await upload(make({ ...limits, total: 50e3 })(ours), Buffer.from(body))
      assert.deepEqual([given.error.code, given.error.limit, given.error.length],
        ['LIMIT_TOTAL_SIZE', 50e3, body.length])
    }
  })

  it('names the error of a form that is too large in parts that nothing else bounds', async () => {
    const make = (multer) => multer({ limits: { fileSize: 1000, fields: 1, fieldSize: 10 } }).single('x')
    const epilogue = await outcomeOf(ours, { body: `${form(file('x'))}${'x'.repeat(200e3)}`, make })
    assert.equal(epilogue.error.code, 'LIMIT_TOTAL_SIZE')
    const unbounded = ours({ limits: { files: 1, fields: 1, total: 50e3 } }).any()
    const { error } = await upload(unbounded, form(file('x', 'a', 'x'.repeat(100e3))), { chunked: true })
    assert.deepEqual([error.code, error.limit, error.received > 50e3], ['LIMIT_TOTAL_SIZE', 50e3, true])
  })

  it('refuses a form in memory that declares more than 100 MB before it is read', async () => {
    const headers = { 'Content-Length': 100e6 + 1 }
    const { error, status } = await outcomeOf(ours, { body: field('a'), make: any(), headers })
    assert.deepEqual([error?.code, status], ['LIMIT_TOTAL_SIZE', 413])
  })

  it('is checked like the other limits', () => assert.throws(() => ours({ limits: { total: -1 } }), /limits\.total/))
})
