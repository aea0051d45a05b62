'use strict'

// Code of users of @types/multer with the types of fast-body-parser/multer: with those of Express 4 and of none, alone
// and beside @types/multer. The declarations of all packages are checked, too.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, createFolder, remove, unpack, write } = require('../support/project')
const compile = require('../support/typescript')

const INTEGRATION = path.join(__dirname, '..')
const TYPES = path.join(INTEGRATION, 'node_modules/@types')
const EXPRESS_4 = {
  express: path.join(INTEGRATION, 'node_modules/types-express-4'),
  'express-serve-static-core': path.join(TYPES, 'express-serve-static-core')
}

const users = fs.readFileSync(path.join(ROOT, 'test/types/multer/users.ts'), 'utf8')

// An app without types of Express: its requests are of any type.
const alone = `
import multer, { MulterError, type StorageEngine } from 'fast-body-parser/multer'
import { createServer } from 'node:http'
const engine: StorageEngine = {
  _handleFile (req, file, done) {
    file.stream.resume().on('end', () => done(null, { size: file.originalname.length }))
  },
  _removeFile (req, file, done) { done(null) }
}
const upload = multer({
  storage: engine,
  limits: { fileSize: 5e6 },
  fileFilter: (req, file, done) => done(null, req.url !== file.fieldname)
})
createServer((req, res) => upload.single('a')(req, res, (error?: unknown) => {
  const { file, files } = req as Express.Request
  const list: Express.Multer.File[] = Array.isArray(files) ? files : []
  res.end(error instanceof MulterError ? error.code : file?.originalname ?? list[0]?.path)
}))
// @ts-expect-error
multer({ limits: { fileSize: '5mb' } })
// @ts-expect-error
engine._handleFile(null, { name: 'a' }, () => {})
`

// An engine whose types are those for multer.
const engines = `
import multer from 'fast-body-parser/multer'
import type theirs from 'multer'
export const use = (storage: theirs.StorageEngine, options: theirs.Options) => [multer({ storage }), multer(options)]
export const back = (storage: multer.StorageEngine): theirs.StorageEngine => storage
export const error = (error: theirs.MulterError): string => new multer.MulterError(error.code, error.field).code
`

const NODENEXT = { module: 'nodenext' }
const COMMONJS = { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }

/** What an app has -> its settings; the sources; whether Express 4 and @types/multer are there. test:types has 5. */
const apps = {
  'no types of Express': [NODENEXT, ['alone.ts']],
  'no types of Express, and CommonJS': [COMMONJS, ['alone.ts']],
  'those of Express 4': [NODENEXT, ['users.ts'], true],
  'those of Express 4 and @types/multer, and CommonJS': [COMMONJS, ['users.ts', 'engines.ts'], true, true]
}

describe('types of multer', function () {
  this.timeout(60_000) // ms; npm packs, and each compilation reads the types of Node

  let folder
  let types

  before(async () => {
    folder = createFolder()
    types = path.join(folder, 'node_modules/@types')
    fs.mkdirSync(types, { recursive: true })
    fs.renameSync(await unpack(folder), path.join(folder, 'node_modules/fast-body-parser'))
    fs.symlinkSync(path.join(ROOT, 'node_modules/@types/node'), path.join(types, 'node'))
    write(folder, { 'users.ts': users, 'alone.ts': alone, 'engines.ts': engines })
  })

  afterEach(() => {
    for (const name of fs.readdirSync(types).filter((name) => name !== 'node')) remove(path.join(types, name))
  })

  after(() => remove(folder))

  for (const [what, [settings, names, isUnder4 = false, isBeside = false]] of Object.entries(apps)) {
    it(`compile in an app with ${what}`, () => {
      for (const [name, place] of Object.entries(isUnder4 ? EXPRESS_4 : {})) {
        fs.symlinkSync(place, path.join(types, name))
      }
      // No link: it is to take the Express of this folder.
      if (isBeside) {
        fs.cpSync(path.join(ROOT, 'node_modules/@types/multer'), path.join(types, 'multer'), { recursive: true })
      }
      const strict = { skipLibCheck: false, skipDefaultLibCheck: true, types: ['node'] }
      const { errors, files } = compile(folder, names, { ...settings, ...strict })
      assert.deepEqual(errors, [])
      const count = (pattern) => files.filter((file) => pattern.test(file)).length
      assert.equal(count(/fast-body-parser\/types\/multer\.d/), 1)
      assert.equal(count(/@types\/multer\/index/), isBeside ? 1 : 0)
      assert.equal(count(/types-express-4\/index/), isUnder4 ? 1 : 0)
    })
  }
})
