'use strict'

// The table of multer's errors in docs/migrating.md: the same form makes both.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const multer = require('multer')
const { multipart } = require('../../../')
const { form, upload } = require('../../support/upload')

const page = fs.readFileSync(path.join(__dirname, '../../../docs/migrating.md'), 'utf8')
const rows = Array.from(page.matchAll(/^\| `([A-Z_]+)` \| `([\w.]+)` \| (\d+) \|$/gm), ([, ...row]) => row)

const file = (name) => [name, 'hello', 'a.txt']
const limited = (limits) => multer({ limits }).any()
const single = multer().single('a')

/** multer's middleware, options here, and the parts of a form, by multer's code. */
const causes = {
  LIMIT_FILE_SIZE: [limited({ fileSize: 4 }), { files: { a: { size: 4 } } }, file('a')],
  LIMIT_FILE_COUNT: [limited({ files: 1 }), { files: { '*': { max: 1 } } }, file('a'), file('b')],
  LIMIT_UNEXPECTED_FILE: [single, { files: { a: {} } }, file('b')],
  LIMIT_FIELD_KEY: [limited({ fieldNameSize: 2 }), { parts: { name: 2 } }, ['abc', '1']],
  LIMIT_FIELD_VALUE: [limited({ fieldSize: 2 }), { fields: { size: 2 } }, ['a', '123']],
  LIMIT_FIELD_COUNT: [limited({ fields: 1 }), { fields: { max: 1 } }, ['a', '1'], ['b', '2']],
  LIMIT_PART_COUNT: [limited({ parts: 1 }), { parts: { max: 1 } }, ['a', '1'], ['b', '2']],
  LIMIT_FIELD_NESTING: [limited({ fieldNestingDepth: 1 }), { extended: true, depth: 1 }, ['a[b][c]', '1']],
  MISSING_FIELD_NAME: [limited({}), {}, ['', '1']]
}

describe('multer\'s errors', () => {
  it('are all in docs/migrating.md', () => assert.deepEqual(rows.map(([code]) => code), Object.keys(causes)))

  for (const [code, type, status] of rows) {
    it(`${code} is ${type}`, async () => {
      const [theirs, options, ...parts] = causes[code]
      const body = code === 'MISSING_FIELD_NAME'
        ? Buffer.from(String(form(...parts)).replace('; name=""', ''))
        : form(...parts)
      const before = await upload(theirs, body)
      assert.deepEqual([before.error.code, before.error.status], [code, undefined])
      const { error } = await upload(multipart(options), body)
      assert.deepEqual([error.type, error.status], [type, Number(status)])
    })
  }

  it('differ for more files of one name than a route takes', async () => {
    const body = form(file('a'), file('a'))
    assert.equal((await upload(multer().array('a', 1), body)).error.code, 'LIMIT_UNEXPECTED_FILE')
    assert.equal((await upload(multipart({ files: { a: { max: 1 } } }), body)).error.type, 'multipart.files.too.many')
  })
})
