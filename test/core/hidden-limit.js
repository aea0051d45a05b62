'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const loadCopy = require('../support/load-copy')
const { withOwnModules } = require('../support/own-modules')
const sharedTables = require('../../lib/core/shared-tables')
const multer = require('../../lib/types/multer')

const CODE = 'FAST_BODY_PARSER_LIMIT'
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_DATA = { 'content-type': 'multipart/form-data; boundary=b' }
const MANY = 150 // parsers; more than are known of

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

describe('a limit that another parser hides', () => {
  let subject
  beforeEach(() => { subject = loadCopy()('index') }) // with warnings of its own

  const refusal = (name, limit, other, room, order) =>
    `${name} with limit ${limit} has refused a body that ${other} with limit ${room}, made ${order} it, has room ` +
    'for: the first parser that takes a request decides. If the other one was meant, put its route before this parser'

  it('is told by one warning, with both limits and which came first; the error is unchanged', async () => {
    const { errors: [first, second, alone], warnings } = await note(async () => {
      const parser = subject.json({ limit: '1kb' })
      const alone = await send(parser)
      subject.json({ limit: '10mb' })
      return [await send(parser), await send(parser), alone]
    })
    assert.deepEqual(warnings, [refusal('json()', '1 KB', 'json()', '10 MB', 'after')])
    for (const error of [first, second]) {
      assert.deepEqual([error.message, Object.entries(error)], [alone.message, Object.entries(alone)])
      assert.deepEqual([error.status, error.limit, error.type], [413, 1024, 'entity.too.large'])
    }
  })

  /** By the files of lib/ themselves, whose coverage counts, instead of a copy. */
  const byOwn = (make) => (_, limit) => withOwnModules(() => make(require('../..'), limit))

  /**
   * @type {[what: string, expected: string | undefined, make: (subject: object, limit: number) => [Function, unknown],
   * request?: object][]}
   */
  const rows = [
    ['of one that was made before', 'before',
      byOwn(({ json }, limit) => [json({ limit: '1mb' }), json({ limit })].reverse())],
    ['for a chunked body', 'after', byOwn(({ json }, limit) => [json({ limit }), json({ limit: '1mb' })]),
      { isChunked: true }],
    ['for a body that other code has read', 'after',
      ({ json }, limit) => [json({ limit, buffered: true }), json({ limit: '1mb' })], { isRead: true }],
    ['for one type of a list', 'after',
      ({ json }, limit) => [json({ limit, type: ['a/b', 'application/json'] }), json({ limit: '1mb' })]],
    ['for a form', 'after', ({ multipart }, limit) => [multipart({ limit }), multipart({ limit: '1mb' })],
      { headers: FORM_DATA }],
    ['not for one that would refuse the body as well', undefined,
      byOwn(({ json }, limit) => [json({ limit }), json({ limit: 1999 })])],
    ['not for the drop-in for multer, which has a limit of its own', undefined, ({ multipart }, limit) => {
      multer().any()
      return [multipart({ limit })]
    }, { headers: FORM_DATA }],
    ['not for one of another type', undefined, ({ json, raw }, limit) => [json({ limit }), raw({ limit: '1mb' })]],
    ['not for the same limit', undefined, ({ json }, limit) => [json({ limit }), json({ limit })]],
    ['not for a limit that is a function', undefined,
      ({ json }, limit) => [json({ limit }), json({ limit: () => '1mb' })]],
    ['not behind a limit that is a function', undefined,
      ({ json }, limit) => [json({ limit: () => limit }), json({ limit: '1mb' })]],
    ['not for a type that is a function', undefined,
      ({ json }, limit) => [json({ limit }), json({ limit: '1mb', type: () => true })]],
    ['not behind a type that is a function', undefined,
      ({ json }, limit) => [json({ limit, type: () => true }), json({ limit: '1mb' })]]
  ]
  for (const [index, [what, expected, make, request]] of rows.entries()) {
    it(`is told ${what}`, async () => {
      const { errors: [error], warnings } = await note(async () =>
        [await send(make(subject, 1000 + index)[0], request)])
      assert.deepEqual([error.status, error.type], [413, 'entity.too.large'])
      assert.deepEqual(warnings.map((message) => /made (\w+) it/.exec(message)[1]),
        expected === undefined ? [] : [expected])
    })
  }

  it('is told of a parser of the same name, if there is one', async () => {
    const { warnings } = await note(async () => {
      subject.jsonArray()
      const parser = subject.json({ limit: '3kb' })
      subject.json({ limit: '10mb' })
      return [await send(parser, { length: 5000 })]
    })
    assert.deepEqual(warnings, [refusal('json()', '3 KB', 'json()', '10 MB', 'after')])
  })

  it('is told of a parser of another copy of this package', async () => {
    const { warnings } = await note(async () => {
      const parser = subject.json({ limit: 900 })
      loadCopy('2.5.100')('index').json({ limit: '10mb' })
      return [await send(parser)]
    })
    assert.equal(warnings.length, 1)
  })

  it('is told of no error with another limit, or of another type', async () => {
    const error = Object.assign(new Error('of the app'), { status: 413, type: 'too.large' })
    const { warnings } = await note(async () => {
      const parser = subject.json({ limit: '1kb' })
      subject.json({ limit: '1mb' })
      const req = Object.assign(new PassThrough(), { headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' } })
      const called = new Promise((resolve) => parser(req, {}, resolve))
      req.destroy(error)
      return [await called]
    })
    assert.deepEqual(warnings, [])
  })

  it('is known for few parsers, however many an app makes', async () => {
    const { warnings, errors: [count] } = await note(async () => {
      for (let limit = 1; limit <= MANY; limit++) subject.json({ limit })
      const count = sharedTables.limits.parsers.length
      await send(subject.json({ limit: 1000 }))
      return [count]
    })
    assert.deepEqual([count, warnings], [100, []])
  })
})
