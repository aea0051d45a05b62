'use strict'

// `req.files` has a type as docs/multipart.md says: declared for the app, or
// for one handler beside a declaration of other packages.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, place, remove } = require('../support/project')
const compile = require('../support/typescript')

const page = fs.readFileSync(path.join(ROOT, 'docs/multipart.md'), 'utf8')
const [, declaration] = /^```ts\n([^]*?)^```$/m.exec(page)
const [, cast] = /`(const \{ files \} = req as .*?)`/.exec(page)

const app = (handle) => `
import express from 'express'
import { multipart, type DiskFile, type WithFiles } from 'fast-body-parser'
const app = express()
app.post('/', multipart({ store: multipart.disk('uploads') }), async (req, res) => { ${handle} })
export type Used = [DiskFile, WithFiles]
`
const use = (files) => `const [avatar] = ${files}.avatar ?? []; await avatar?.keep('kept'); res.json(avatar?.size)`

/** As @types/multer declares it. */
const MULTER = `
export {}
declare global {
  namespace Express {
    interface Request { files?: { [field: string]: Array<{ buffer: Buffer }> } | Array<{ buffer: Buffer }> | undefined }
  }
}
`

/** Sources, and the codes of the errors that TypeScript finds. */
const programs = {
  'declared for the app': [{ 'declared.ts': declaration, 'app.ts': app(use('req.files')) }, []],
  'declared, perhaps not there': [{ 'declared.ts': declaration, 'app.ts': app('req.files.avatar[0]') }, [18048]],
  'for one handler': [{ 'app.ts': app(`${cast}; ${use('files')}`) }, []],
  'for one handler, beside those of multer': [{ 'multer.ts': MULTER, 'app.ts': app(`${cast}; ${use('files')}`) }, []],
  'for one handler, beside those of fast-body-parser/multer': [
    { 'app.ts': `import 'fast-body-parser/multer'\n${app(`${cast}; ${use('files')}`)}` },
    []
  ],
  'not declared': [{ 'app.ts': app(use('req.files')) }, [2339]]
}

describe('types of req.files', function () {
  this.timeout(60_000) // ms; npm packs

  let folder

  before(async () => {
    const sources = Object.values(programs).flatMap(([files], i) =>
      Object.entries(files).map(([name, source]) => [`${i}/${name}`, source]))
    folder = await place(Object.fromEntries(sources))
  })

  after(() => remove(folder))

  for (const [i, [what, [files, codes]]] of Object.entries(programs).entries()) {
    it(what, () => {
      const { errors } = compile(folder, Object.keys(files).map((name) => `${i}/${name}`), { module: 'nodenext' })
      assert.deepEqual(errors.map((error) => Number(/: (\d+) /.exec(error)[1])), codes, errors.join('\n'))
    })
  }
})
