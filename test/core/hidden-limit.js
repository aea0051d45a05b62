'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const loadCopy = require('../support/load-copy')
const { withOwnModules } = require('../support/own-modules')
const sharedTables = require('../../lib/core/shared-tables')

const CODE = 'FAST_BODY_PARSER_LIMIT'
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_DATA = { 'content-type': 'multipart/form-data; boundary=b' }
const MOST = 100 // parsers that are known of

/** Warnings with the code of this page, and the errors, of bodies that `send` sends. */
async function note (send) {
  const { emitWarning } = process
  const known = sharedTables.limits
  const warnings = []
  sharedTables.limits = null
  process.emitWarning = (message, { code }) => { if (code === CODE) warnings.push(message) }
  try {
    const errors = await send()
    return { errors, warnings }
  } finally {
    process.emitWarning = emitWarning
    sharedTables.limits = known
  }
}

/** @returns {Promise<unknown>} what `next` gets */
async function send (parser, {
  length = 2000,
  headers = JSON_TYPE,
  body = 'x'.repeat(length),
  isChunked = false,
  isRead = false
} = {}) {
  const framing = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
  const req = isRead ? { rawBody: body } : new PassThrough()
  req.headers = { ...headers, ...framing }
  const called = new Promise((resolve) => parser(req, {}, resolve))
  await turn()
  if (!isRead) req.end(body)
  return called
}

/** Parsers of modules that have warned of nothing, and know of no other parsers. */
const makeAll = (...parsers) => withOwnModules(() => {
  const own = require('../..')
  return parsers.map(([name, options]) => own[name](options))
})

describe('a limit that another parser hides', () => {
  const refusal = (name, limit, other, room, order) =>
    `${name} with limit ${limit} has refused a body that ${other} with limit ${room}, made ${order} it, has room ` +
    'for: the first parser that takes a request decides. If the other one was meant, put its route before this parser'

  it('is told by one warning, with both limits and which came first; the error is unchanged', async () => {
    const [alone] = makeAll(['json', { limit: '1kb' }])
    const [parser] = makeAll(['json', { limit: '1kb' }], ['jsonArray', {}], ['json', { limit: '10mb' }])
    const { errors, warnings } = await note(async () => [await send(parser), await send(parser), await send(alone)])
    assert.deepEqual(warnings, [refusal('json()', '1 KB', 'json()', '10 MB', 'after')])
    for (const error of errors) {
      assert.deepEqual([error.message, Object.entries(error)], [errors[2].message, Object.entries(errors[2])])
      assert.deepEqual([error.status, error.limit, error.type], [413, 1024, 'entity.too.large'])
    }
  })

  const SMALL = { limit: 1000 }
  const LARGE = { limit: '1mb' }
  /** @type {[what: string, is told: boolean, refuses: [string, object], other: [string, object], request?: object][]} */
  const rows = [
    ['for a chunked body', true, ['json', SMALL], ['json', LARGE], { isChunked: true }],
    ['for a body that other code has read', true, ['json', { ...SMALL, buffered: true }], ['json', LARGE],
      { isRead: true }],
    ['for one type of a list', true, ['json', { ...SMALL, type: ['a/b', 'application/json'] }], ['json', LARGE]],
    ['for a form', true, ['multipart', SMALL], ['multipart', LARGE], { headers: FORM_DATA }],
    ['not for one that would refuse the body as well', false, ['json', SMALL], ['json', { limit: 1999 }]],
    ['not for one of another type', false, ['json', SMALL], ['raw', LARGE]],
    ['not for the same limit', false, ['json', SMALL], ['json', SMALL]],
    ['not for a limit that is a function', false, ['json', SMALL], ['json', { limit: () => '1mb' }]],
    ['not behind a limit that is a function', false, ['json', { limit: () => 1000 }], ['json', LARGE]],
    ['not for a type that is a function', false, ['json', SMALL], ['json', { ...LARGE, type: () => true }]],
    ['not behind a type that is a function', false, ['json', { ...SMALL, type: () => true }], ['json', LARGE]]
  ]
  for (const [what, isTold, refuses, other, request] of rows) {
    it(`is told ${what}, whichever is made first`, async () => {
      const after = makeAll(refuses, other)
      const before = makeAll(other, refuses).reverse()
      for (const [parsers, order] of [[after, 'after'], [before, 'before']]) {
        const { errors: [error], warnings } = await note(async () => [await send(parsers[0], request)])
        assert.deepEqual([error.status, error.type], [413, 'entity.too.large'])
        assert.deepEqual(warnings.map((message) => /made (\w+) it/.exec(message)[1]), isTold ? [order] : [])
      }
    })
  }

  it('is told of createParser by that name', async () => {
    const [parser] = makeAll(['json', SMALL], ['createParser', { ...LARGE, type: 'application/json', parse: String }])
    const { warnings } = await note(async () => [await send(parser)])
    assert.match(warnings.join(), /that createParser\(\) with limit 1 MB/)
  })

  it('is not told for the drop-in for multer, which has a limit of its own', async () => {
    const makeBoth = () => [require('../..').multipart(SMALL), require('../../lib/types/multer')().any()]
    const [parser] = withOwnModules(makeBoth)
    const { warnings } = await note(async () => [await send(parser, { headers: FORM_DATA })])
    assert.deepEqual(warnings, [])
  })

  it('is told of a parser of another copy of this package', async () => {
    const { warnings } = await note(async () => {
      const parser = loadCopy()('index').json({ limit: 900 })
      loadCopy('2.5.100')('index').json({ limit: '10mb' })
      return [await send(parser)]
    })
    assert.equal(warnings.length, 1)
  })

  it('is told of no error with another limit, or of another type', async () => {
    const error = Object.assign(new Error('of the app'), { status: 413, type: 'too.large' })
    const [parser] = makeAll(['json', SMALL], ['json', LARGE])
    const { warnings } = await note(async () => {
      const req = Object.assign(new PassThrough(), { headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' } })
      const called = new Promise((resolve) => parser(req, {}, resolve))
      req.destroy(error)
      return [await called]
    })
    assert.deepEqual(warnings, [])
  })

  it('is known for few parsers, however many an app makes', async () => {
    const parsers = makeAll(['json', LARGE], ...Array.from({ length: MOST }, (_, limit) => ['json', { limit }]))
    for (const [index, told] of [[MOST - 1, 1], [MOST, 0]]) {
      const { warnings } = await note(async () => [await send(parsers[index], { length: 200 })])
      assert.equal(warnings.length, told)
    }
  })
})
