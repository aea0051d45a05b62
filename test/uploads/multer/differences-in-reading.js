'use strict'

// The differences that docs/multer.md lists in how a form is read, and in which
// of its errors counts, each with what both do.

const assert = require('node:assert/strict')
const { outcomeOf } = require('../../support/multer-outcome')
const { HEAD, any, both, field, file, form, ours, part, theirs } = require('../../support/multer-rows')

const errorsOf = (outcomes) => outcomes.map(({ error }) => error?.code ?? error?.message)
const fieldsOf = (outcomes) => outcomes.map(({ body: { '<null>': isNull, ...fields } }) => fields)
const NO_END = 'Unexpected end of form'
const MALFORMED = 'Malformed part header'
const MALFORMED_TYPE = 'Malformed content type'

describe('multer, where its stand-in reads a form otherwise', () => {
  it('refuses a boundary of more than 70 characters, one that ends in a blank, and an empty one', async () => {
    const rows = [
      ['b'.repeat(70), undefined],
      ...['b'.repeat(71), 'b'.repeat(252), 'b ', 'b\t', ''].map((boundary) => [boundary, MALFORMED_TYPE])
    ]
    for (const [boundary, error] of rows) {
      const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
      const outcomes = await both({ make: any(), body: form(field('a')).replaceAll('--b', `--${boundary}`), headers })
      assert.deepEqual(errorsOf(outcomes), [error, undefined])
    }
  })

  it('reads a boundary with blanks around it, and one with an escape', async () => {
    for (const [parameter, error] of [[' boundary= b', MALFORMED_TYPE], [' boundary = b', MALFORMED_TYPE],
      [' boundary="\\b"', NO_END]]) {
      const headers = { 'Content-Type': `multipart/form-data;${parameter}` }
      assert.deepEqual(errorsOf(await both({ make: any(), body: form(field('a')), headers })), [undefined, error])
    }
  })

  it('takes a boundary in the place of a header for the first line of that header', async () => {
    const outcomes = await both({ make: any(), body: `--b\r\n${form(field('a'))}` })
    assert.deepEqual(errorsOf(outcomes), [MALFORMED, undefined])
  })

  it('ends a part, which is empty, at a boundary directly behind its header', async () => {
    for (const [first, ...expected] of [
      [field('a', ''), { a: '', b: '1' }, { a: `${HEAD}"b"\r\n\r\n1` }],
      [file('x', 'n', ''), { b: '1' }, {}]
    ]) {
      const outcomes = await both({ make: any(), body: first.replace(/\r\n$/, '') + form(field('b')) })
      assert.deepEqual(fieldsOf(outcomes), expected)
      assert.deepEqual(outcomes.map(({ files }) => files.map(({ size }) => size)),
        first.includes('filename') ? [[0], [45]] : [[], []])
    }
  })

  it('reads nothing behind the last boundary', async () => {
    const outcomes = await both({ make: any(), body: form(field('a')) + form(field('b'), field('c')) })
    assert.deepEqual(fieldsOf(outcomes), [{ a: '1' }, { a: '1', c: '1' }])
  })

  it('lacks the end of a form that is cut within its last line, or within a header', async () => {
    const outcomes = await both({ make: any(), body: `${field('a')}--b--\r` })
    assert.deepEqual(errorsOf(outcomes), [NO_END, undefined])
    const header = await both({ make: any(), body: `${field('a')}--b\r\nno field\r\n` })
    assert.deepEqual(errorsOf(header), [NO_END, MALFORMED])
  })

  it('allows 16,384 bytes of header, where multer counts some of them twice', async () => {
    const headerOf = (size) => `${HEAD}"p"\r\nX: ${'x'.repeat(size - `${HEAD}"p"\r\nX: `.length)}`
    for (const [size, ...expected] of [
      [16_377, undefined, undefined],
      [16_384, undefined, MALFORMED],
      [16_385, MALFORMED, MALFORMED]
    ]) {
      assert.deepEqual(errorsOf(await both({ make: any(), body: form(part(headerOf(size))) })), expected)
    }
  })
})

describe('multer, where its stand-in bounds what a header is made of', () => {
  const long = ";x*=big5''%41".repeat(15)
  const lines = (count) => `${HEAD}"p"${'\r\na:b'.repeat(count - 1)}`
  const rows = {
    '32 lines': [lines(32), undefined, undefined],
    '33 lines': [lines(33), MALFORMED, undefined],
    '33 lines, folded': [`${HEAD}"p"\r\na:${'\r\n b'.repeat(31)}`, MALFORMED, undefined],
    '16 parameters': [`${HEAD}"p"${long}`, undefined, undefined],
    '17 parameters': [`${HEAD}"p"${long};y=z`, MALFORMED, undefined],
    '64 escapes in a name': [`${HEAD}"${'%22'.repeat(64)}"`, undefined, undefined],
    '65 escapes in a name': [`${HEAD}"${'%22'.repeat(65)}"`, MALFORMED, undefined],
    '17 parameters of its type, which then counts as text': [
      `${HEAD}"p"\r\nContent-Type: a/b${long};y=z;w=v`, undefined, undefined
    ]
  }
  for (const [what, [header, ...expected]] of Object.entries(rows)) {
    it(`takes 32 lines of it, and 16 parameters: ${what}`, async () => {
      assert.deepEqual(errorsOf(await both({ make: any(), body: form(part(header)) })), expected)
    })
  }
})

describe('multer, where its stand-in reports another error', () => {
  it('counts a part over limits.parts before it looks at that part', async () => {
    const limits = { parts: 1, fieldNameSize: 1 }
    const outcomes = await both({ make: any({ limits }), body: form(field('a'), field('bc')) })
    assert.deepEqual(errorsOf(outcomes), ['LIMIT_PART_COUNT', 'LIMIT_FIELD_KEY'])
    const header = await both({ make: any({ limits }), body: form(field('a'), part(`X: ${'x'.repeat(17_000)}`)) })
    assert.deepEqual(errorsOf(header), [MALFORMED, MALFORMED]) // which has no end that was read
    const body = field('a') + form().replace('--b--', `--b${' '.repeat(300)}`)
    const boundary = await outcomeOf(ours, { make: any({ limits: { parts: 1 } }), body })
    assert.equal(boundary.error.message, MALFORMED) // no part
  })

  it('reports the first error of a form, also while a filter takes its time', async () => {
    const fileFilter = (req, file, done) => setTimeout(done, 1, new Error('filter'))
    const outcomes = await both({ make: any({ fileFilter }), body: form(file('x'), part('no field')) })
    assert.deepEqual(errorsOf(outcomes), ['filter', MALFORMED])
  })

  it('refuses a form over limits.total by its length, whatever else is wrong with it', async () => {
    const large = form(field('a'), file('x', 'a', 'x'.repeat(500_000))) // of which a part comes before the rest
    const { error } = await outcomeOf(ours, { make: any({ limits: { total: 300_000, fields: 0 } }), body: large })
    assert.equal(error.code, 'LIMIT_TOTAL_SIZE')
  })

  it('removes a path once that two files were written to, where multer reports the second removal', async () => {
    const make = (multer, folder) => multer({
      limits: { files: 2 },
      storage: multer.diskStorage({ destination: folder, filename: (req, file, done) => done(null, 'name') })
    }).any()
    const outcomes = await both({ make, body: form(file('x'), file('x'), file('x')) })
    assert.deepEqual(errorsOf(outcomes), ['LIMIT_FILE_COUNT', 'LIMIT_FILE_COUNT'])
    assert.deepEqual(outcomes.map(({ error: { storageErrors } }) => storageErrors.length), [0, 1])
    assert.deepEqual(outcomes.map(({ left }) => left), [0, 0])
  })

  it('calls next at once if more than the drainLimit is left, where multer waits for the rest', async () => {
    const upload = { make: any({ limits: { fields: 0 } }), body: field('a') }
    const large = await both({ ...upload, headers: { 'Content-Length': 64 * 1024 ** 2 + 1000 } })
    assert.deepEqual(large.map(({ error, hangs }) => error?.code ?? hangs), ['LIMIT_FIELD_COUNT', true])
    const low = await both({
      ...upload,
      make: any({ limits: { fields: 0 }, drainLimit: 100 }),
      headers: { 'Content-Length': 1000 }
    })
    assert.deepEqual(low.map(({ error, hangs }) => error?.code ?? hangs), ['LIMIT_FIELD_COUNT', true])
  })

  it('refuses a request whose encoding was set, where multer changes its bytes', async () => {
    const make = (multer) => (req, res, next) => multer().any()(req.setEncoding('latin1'), res, next)
    const outcomes = await both({ make, body: form(file('x', 'a', 'é')) })
    assert.deepEqual(errorsOf(outcomes), ['stream encoding should not be set', undefined])
    assert.equal(outcomes[1].files[0].size, 4) // of two bytes
  })

  it('reads a request that other code unpipes, where multer waits for it', async () => {
    const make = (multer) => (req, res, next) => {
      multer().any()(req, res, next)
      req.unpipe()
    }
    const outcomes = await both({ make, body: form(field('a')) })
    assert.deepEqual(outcomes.map(({ body, hangs }) => body?.a ?? hangs), ['1', true])
  })

  it('calls a request that is closed aborted', async () => {
    const make = (multer) => (req, res, next) => {
      multer().any()(req, res, next)
      req.emit('close')
    }
    const body = [field('a'), form(field('b'))]
    assert.deepEqual(errorsOf(await both({ make, body })), ['Request aborted', 'Request closed'])
  })

  it('calls a request aborted whose client has left before, where multer hangs', async () => {
    const make = (multer) => (req, res, next) =>
      req.once('close', () => setImmediate(() => multer().any()(req, res, next)))
    const [seen, expected] = await both({ make, body: field('a'), cut: true, patience: 300 })
    assert.deepEqual([seen.error.message, seen.status, seen.calls, expected.hangs], ['Request aborted', 400, 1, true])
  })

  it('gives errors of the file system a type', async () => {
    const errors = []
    for (const multer of [ours, theirs]) {
      const upload = multer({
        storage: multer.diskStorage({ destination: (req, file, done) => done(null, '/none') })
      }).any()
      await outcomeOf(multer, {
        make: () => (req, res, next) => upload(req, res, (error) => {
          errors.push(error)
          next(error)
        }),
        body: form(file('x'))
      })
    }
    assert.deepEqual(errors.map(({ code, type, status }) => [code, type, status]),
      [['ENOENT', 'multipart.store.failed', 500], ['ENOENT', undefined, undefined]])
  })
})
