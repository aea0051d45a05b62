'use strict'

// The differences that docs/multer.md lists in how a form is read, and in which
// of its errors counts, each with what both do.

const assert = require('node:assert/strict')
const { outcomeOf } = require('../../support/multer-outcome')
const { HEAD, any, both, differ, field, file, form, noting, ours, part } = require('../../support/multer-rows')

const NO_END = 'Unexpected end of form'
const MALFORMED = 'Malformed part header'
const MALFORMED_TYPE = 'Malformed content type'
const READ = { error: undefined }
const typed = (type) => ({ headers: { 'Content-Type': `multipart/form-data;${type}` } })
const failing = (error) => ({ error })
const fields = (values) => ({ body: { '<null>': true, ...values } })

describe('multer, where its stand-in reads a form otherwise', () => {
  for (const boundary of ['b'.repeat(71), 'b ']) {
    differ({
      [`refuses a boundary of ${boundary.length} characters: ${JSON.stringify(boundary.slice(0, 9))}`]: [
        any(), form(field('a')).replaceAll('--b', `--${boundary}`), failing(MALFORMED_TYPE), READ,
        typed(` boundary="${boundary}"`)
      ]
    })
  }
  const longest = 'b'.repeat(70)
  for (const before of ['\n', '\uFEFF', 'text']) {
    differ({
      [`reads the first part behind ${JSON.stringify(before)}`]: [
        any(), before + form(field('a'), field('b')), fields({ a: '1', b: '1' }), fields({ b: '1' })
      ]
    })
  }
  differ({
    'refuses a form whose first boundary ends with LF alone, as that part would be lost': [
      any(), form(field('a'), field('b')).replace('\r', ''), { error: NO_END, status: 400 }, fields({ b: '1' })
    ],
    'reads a boundary of 70 characters': [
      any(), form(field('a')).replaceAll('--b', `--${longest}`), READ, READ, typed(` boundary="${longest}"`)
    ],
    'reads a boundary with blanks around its sign': [
      any(), form(field('a')), READ, failing(MALFORMED_TYPE), typed(' boundary = b')
    ],
    'reads a boundary with an escape': [any(), form(field('a')), READ, failing(NO_END), typed(' boundary="\\b"')],
    'takes a boundary in the place of a header for the first line of that header': [
      any(), `--b\r\n${form(field('a'))}`, failing(MALFORMED), READ
    ],
    'ends a field, which is empty, at a boundary directly behind its header': [
      any(), field('a', '').replace(/\r\n$/, '') + form(field('b')),
      fields({ a: '', b: '1' }), fields({ a: `${HEAD}"b"\r\n\r\n1` })
    ],
    'reads nothing behind the last boundary': [
      any(), form(field('a')) + form(field('b'), field('c')), fields({ a: '1' }), fields({ a: '1', c: '1' })
    ],
    'lacks the end of a form that is cut within its last line': [any(), `${field('a')}--b--\r`, failing(NO_END), READ],
    'lacks the end of a form that is cut within a header': [
      any(), `${field('a')}--b\r\nno field\r\n`, failing(NO_END), failing(MALFORMED)
    ]
  })
})

describe('multer, where its stand-in bounds what a header is made of', () => {
  const headerOf = (size) => `${HEAD}"p"\r\nX: ${'x'.repeat(size - `${HEAD}"p"\r\nX: `.length)}`
  const long = ";x*=big5''%41".repeat(15)
  const lines = (count) => `${HEAD}"p"${'\r\na:b'.repeat(count - 1)}`
  // [what, header, error, that of multer]
  const rows = [
    ['16,384 bytes, of which multer counts some twice', headerOf(16_384), undefined, MALFORMED],
    ['16,385 bytes', headerOf(16_385), MALFORMED, MALFORMED],
    ['33 lines', lines(33), MALFORMED, undefined],
    ['33 lines, folded', `${HEAD}"p"\r\na:${'\r\n b'.repeat(31)}`, MALFORMED, undefined],
    ['17 parameters', `${HEAD}"p"${long};y=z`, MALFORMED, undefined],
    ['65 escapes in a name', `${HEAD}"${'%22'.repeat(65)}"`, MALFORMED, undefined],
    ['17 parameters of its type, which then counts as text',
      `${HEAD}"p"\r\nContent-Type: a/b${long};y=z;w=v`, undefined, undefined]
  ]
  for (const [what, header, error, ofMulter] of rows) {
    differ({
      [`${error === undefined ? 'takes' : 'refuses'} ${what}`]: [
        any(), form(part(header)), failing(error), failing(ofMulter)
      ]
    })
  }
})

describe('multer, where its stand-in reports another error', () => {
  const limits = { parts: 1, fieldNameSize: 1 }
  const waiting = (act, isLate) => (multer) => (req, res, next) => {
    const upload = () => multer().any()(req, res, next)
    if (!isLate) upload()
    act(req, upload)
  }
  differ({
    'counts a part over limits.parts before it looks at that part': [
      any({ limits }), form(field('a'), field('bc')), failing('LIMIT_PART_COUNT'), failing('LIMIT_FIELD_KEY')
    ],
    'reports the first error of a form, also while a filter takes its time': [
      any({ fileFilter: (req, file, done) => setTimeout(done, 1, new Error('filter')) }),
      form(file('x'), part('no field')), failing('filter'), failing(MALFORMED)
    ],
    'refuses a form over limits.total by its length, whatever else is wrong with it': [
      any({ limits: { total: 300_000, fields: 0 } }), form(field('a'), file('x', 'a', 'x'.repeat(500_000))),
      failing('LIMIT_TOTAL_SIZE')
    ],
    'calls next at once if more than drainLimit is left, where multer waits for the rest': [
      any({ limits: { fields: 0 }, drainLimit: 100 }), field('a'), failing('LIMIT_FIELD_COUNT'), { hangs: true },
      { headers: { 'Content-Length': 1000 } }
    ],
    'refuses a request whose encoding was set, where multer changes its bytes': [
      waiting((req, upload) => { req.setEncoding('latin1'); upload() }, true), form(file('x', 'a', 'é')),
      failing('stream encoding should not be set'), { files: ['x: 4'] }
    ],
    'reads a request that other code unpipes, where multer waits for it': [
      waiting((req) => req.unpipe()), form(field('a')), fields({ a: '1' }), { hangs: true }
    ],
    'calls a request that is closed aborted': [
      waiting((req) => req.emit('close')), [field('a'), form(field('b'))],
      failing('Request aborted'), failing('Request closed')
    ],
    'calls a request aborted whose client has left before, where multer hangs': [
      waiting((req, upload) => req.once('close', () => setImmediate(upload)), true), field('a'),
      { calls: 1, error: 'Request aborted', status: 400 }, { hangs: true }, { cut: true }
    ]
  })

  it('removes a path once that two files were written to, where multer reports the second removal', async () => {
    const make = (multer, folder) => multer({
      limits: { files: 2 },
      storage: multer.diskStorage({ destination: folder, filename: (req, file, done) => done(null, 'name') })
    }).any()
    const outcomes = await both({ make, body: form(file('x'), file('x'), file('x')) })
    assert.deepEqual(outcomes.map(({ error: { code, storageErrors }, left }) => [code, storageErrors.length, left]),
      [['LIMIT_FILE_COUNT', 0, 0], ['LIMIT_FILE_COUNT', 1, 0]])
  })

  it('gives errors of the file system a type', async () => {
    let fault
    const make = noting((multer) => {
      const destination = (req, file, done) => done(null, '/none')
      return multer({ storage: multer.diskStorage({ destination }) }).any()
    }, (req, error) => { fault = error })
    await outcomeOf(ours, { make, body: form(file('x')) })
    assert.deepEqual([fault.code, fault.type, fault.status], ['ENOENT', 'multipart.store.failed', 500])
  })
})
