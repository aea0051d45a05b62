'use strict'

// What multer was reported for. Each attack was run on the version before the
// repair, where it did what SECURITY.md says.

const assert = require('node:assert/strict')
const openDescriptors = require('../../../tools/open-descriptors')
const { HEAD, any, both, field, file, form } = require('../../support/multer-rows')
const { outcomeOf } = require('../../support/multer-outcome')
const ours = require('../../../lib/types/multer')

const LARGE = 'x'.repeat(200_000)
const cutFile = file('x', 'a', LARGE).slice(0, -10_000)
const later = (...values) => (req, file, done) => setTimeout(done, 20, ...values)

/** How an app takes its time with a file, by what it does. */
const MAKERS = {
  'a directory': (multer, dest) => multer({ dest }).any(),
  'a filter that answers later': (multer, dest) => multer({ dest, fileFilter: later(null, true) }).any(),
  'a name that comes later': (multer, folder) => multer({
    storage: multer.diskStorage({ destination: folder, filename: later(null, 'name') })
  }).any()
}

/** An outcome, with the files that are open when `next` is called. */
async function outcomeWith (make, body, more) {
  let open
  const seen = await outcomeOf(ours, {
    body,
    make: (multer, folder) => {
      const upload = make(multer, folder)
      return (req, res, next) => upload(req, res, (error) => {
        open = openDescriptors().filter((target) => target.startsWith(folder)).length
        next(error)
      })
    },
    ...more
  })
  return { ...seen, open }
}

const leavesNothing = ({ calls, error, left, open }) => [calls, error.message, left, open]

describe('advisories on multer', () => {
  for (const [what, make] of Object.entries(MAKERS)) {
    it(`CVE-2026-2359, -5038 and -77037: with ${what}, calls next and leaves no file if the client leaves`, async () => {
      assert.deepEqual(leavesNothing(await outcomeWith(make, cutFile, { cut: true })), [1, 'Request aborted', 0, 0])
    })

    it(`CVE-2026-3304, -5079, -77063 and -77078: with ${what}, leaves no file if the form is cut`, async () => {
      assert.deepEqual(leavesNothing(await outcomeWith(make, cutFile)), [1, 'Unexpected end of form', 0, 0])
    })

    it(`CVE-2026-3304: with ${what}, leaves no file if the form is malformed`, async () => {
      const body = form(file('x'), '--b\r\nnonsense\r\n\r\n')
      assert.deepEqual(leavesNothing(await outcomeWith(make, body)), [1, 'Malformed part header', 0, 0])
    })
  }

  it('CVE-2025-47935 and -47944: reports one error of a form, and goes on serving, if a filter refuses a file and the rest is malformed', async () => {
    const fileFilter = (req, { originalname }, done) => {
      if (originalname === 'bad') done(new Error('refused'))
      else setTimeout(done, 60, null, false)
    }
    const pieces = [
      file('x', 'a', 'x'.repeat(9000)).slice(0, -2), 'y'.repeat(8000), `\r\n${file('x', 'bad')}--b\r\nnonsense\r\n\r\n`,
      'z'.repeat(3000)
    ]
    const { calls, error } = await outcomeOf(ours, { make: any({ fileFilter }), body: pieces })
    assert.deepEqual([calls, error.message], [1, 'refused'])
  })

  it('CVE-2025-48997: refuses a file whose field has an empty name', async () => {
    for (const { error, files } of await both({ make: any(), body: form(file('')) })) {
      assert.deepEqual([error.code, files], ['MISSING_FIELD_NAME', []])
    }
  })

  it('CVE-2025-7338: refuses a form that ends in a part without a file name, once', async () => {
    const body = `--b\r\n${HEAD}"x"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\nx`
    for (const { calls, error } of await both({ make: any(), body })) {
      assert.deepEqual([calls, error.message], [1, 'Unexpected end of form'])
    }
  })

  it('CVE-2026-3520: removes thousands of files at once, without recursion', async () => {
    const body = form(file('x').repeat(5000), field('a'))
    const storage = (multer) => { // as that of memory, which is removed at once
      const memory = multer.memoryStorage()
      return { _handleFile: (...args) => memory._handleFile(...args), _removeFile: (req, file, done) => done(null) }
    }
    const make = (multer) => multer({ storage: storage(multer), limits: { fields: 0 } }).any()
    const { calls, error } = await outcomeOf(ours, { make, body, patience: 25_000 })
    assert.deepEqual([calls, error.code, error.storageErrors], [1, 'LIMIT_FIELD_COUNT', []])
  })

  it('CVE-2026-5038 and -5079: takes time by the length of a name, and refuses those that nest deeper than the limit', async () => {
    const name = `a${'[b]'.repeat(1000)}`
    const { body } = await outcomeOf(ours, { make: any(), body: form(field(name), field('c')) })
    assert.equal(body.c, '1')
    const [refused] = await both({ make: any({ limits: { fieldNestingDepth: 10 } }), body: form(field(name)) })
    assert.deepEqual([refused.error.code, refused.status], ['LIMIT_FIELD_NESTING', 400])
  })

  it('CVE-2026-77037, -77063 and -77078: refuses a value that no array has room for', async () => {
    for (const { calls, error } of await both({ make: any(), body: form(field('a[4294967294]'), field('a[]')) })) {
      assert.deepEqual([calls, error.code], [1, 'INVALID_FIELD_NAME'])
    }
  })

  it('CVE-2026-77037, -77063 and -77078: counts the bytes of a file whose filter answers later', async () => {
    const make = any({ fileFilter: later(null, true), limits: { fileSize: 10 } })
    for (const { error, files } of await both({ make, body: form(file('x', 'a', LARGE)) })) {
      assert.deepEqual([error.code, files], ['LIMIT_FILE_SIZE', []])
    }
  })
})
