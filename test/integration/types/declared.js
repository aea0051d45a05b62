'use strict'

// What the types declare for an app, and what they leave to it: `req.rawBody`, for those who ask for it; `req.files`,
// as docs/multipart.md says; and middlewares, which need no types of Express. A property may be declared once, and many
// apps have their own.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { blocksOf, read } = require('../../support/pages')
const { place, remove } = require('../support/project')
const compile = require('../support/typescript')

const page = read('docs/multipart.md')
const { code: declaration } = blocksOf(page).find(({ language }) => language === 'ts')
const [, cast] = /`(const \{ files \} = req as .*?)`/.exec(page)

const REFERENCE = '/// <reference types="fast-body-parser/raw-body" />\n'
const PLAIN = `
import { json } from 'fast-body-parser'
import { createServer } from 'node:http'
const parse = json({ rawBody: true })
createServer((req, res) => parse(req, res, (error?: Error) => {
  const bytes: Buffer | undefined = req.rawBody
  res.end(error?.message ?? bytes?.toString('hex'))
}))
`
const EXPRESS = `
import bodyParser from 'fast-body-parser'
import express from 'express'
const app = express()
app.use(bodyParser.json({ rawBody: true }))
app.post('/hook', (req, res) => { res.send(req.rawBody?.toString('hex')) })
`
const OWN = `
import { json } from 'fast-body-parser'
import type { IncomingMessage } from 'http'
declare module 'http' { interface IncomingMessage { rawBody: string } }
export const parse = json({ verify (req: IncomingMessage, res, bytes) { req.rawBody = bytes.toString() } })
`
// How Google's functions, Firebase and Nest declare theirs.
const OTHERS = `
import type express from 'express'
import type { IncomingMessage } from 'http'
export interface Google extends express.Request { rawBody?: Buffer }
export interface Firebase extends express.Request { rawBody: Buffer }
type Nest<T> = T & { rawBody?: Buffer }
export const size = (req: Nest<express.Request>, other: Nest<IncomingMessage>) =>
  (req.rawBody?.length ?? 0) + (other.rawBody?.length ?? 0)
`
const app = (handle) => `
import express from 'express'
import { multipart, type DiskFile, type WithFiles } from 'fast-body-parser'
const app = express()
app.post('/', multipart({ store: multipart.disk('uploads') }), async (req, res) => { ${handle} })
export type Used = [DiskFile, WithFiles]
`
const use = (files) => `const [avatar] = ${files}.avatar ?? []; await avatar?.keep('kept'); res.json(avatar?.size)`
/** test/types/middleware.ts has Express 5 and connect. */
const EXPRESS_4 = `
import bodyParser, { json, urlencoded } from 'fast-body-parser'
import express, { type RequestHandler } from 'types-express-4'
const app = express()
export const handlers: RequestHandler[] = [json(), urlencoded(), bodyParser.text(), bodyParser.raw()]
app.use('/hooks', [json(), urlencoded({ extended: true })], bodyParser.raw())
app.post<{ id: string }>('/:id', json({ verify (req: express.Request) { return req.ip } }), (req, res) => {
  res.json({ id: req.params.id, body: req.body })
})
export const router = express.Router().use(...handlers)
`

/** Title -> the sources, and the codes of the errors that TypeScript finds; settings */
const programs = {
  'rawBody, asked for by a reference': [[REFERENCE + PLAIN]],
  'rawBody, asked for by an import': [["import type {} from 'fast-body-parser/raw-body'\n" + PLAIN]],
  'rawBody, asked for in the settings': [[PLAIN], [], { types: ['fast-body-parser/raw-body'] }],
  'rawBody, asked for with the oldest resolution of modules': [
    [REFERENCE + PLAIN], [], { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }
  ],
  'rawBody, asked for in Express': [[REFERENCE + EXPRESS]],
  'rawBody, not asked for in Express': [[EXPRESS], [2339]],
  'rawBody, perhaps not there': [[REFERENCE + PLAIN.replace('bytes?.', 'req.rawBody.')], [18048]],
  'rawBody, declared by the app': [[OWN]],
  'rawBody, declared by the app, and asked for': [[REFERENCE + OWN], [2322, 2687, 2717]],
  'rawBody, declared by others': [[REFERENCE + OTHERS]],
  'files, declared for the app': [[declaration, app(use('req.files'))]],
  'files, perhaps not there': [[declaration, app('req.files.avatar[0]')], [18048]],
  'files, for one handler': [[app(`${cast}; ${use('files')}`)]],
  'files, for one handler beside those of multer': [
    [`import 'fast-body-parser/multer'\n${app(`${cast}; ${use('files')}`)}`]
  ],
  'files, not declared': [[app(use('req.files'))], [2339]],
  'middlewares, in Express 4': [[EXPRESS_4]]
}

describe('types in an app', function () {
  this.timeout(60_000) // ms; npm packs

  let folder

  before(async () => {
    const sources = Object.values(programs).flatMap(([texts], i) => texts.map((text, j) => [`${i}-${j}.ts`, text]))
    folder = await place(Object.fromEntries(sources))
    const types = path.dirname(require.resolve('types-express-4/package.json'))
    fs.symlinkSync(types, path.join(folder, 'node_modules/types-express-4'))
  })

  after(() => remove(folder))

  for (const [i, [what, [texts, codes = [], settings = {}]]] of Object.entries(programs).entries()) {
    it(what, () => {
      const names = texts.map((_, j) => `${i}-${j}.ts`)
      const { errors, files } = compile(folder, names, { module: 'nodenext', ...settings })
      const found = errors.map((error) => Number(/: (\d+) /.exec(error)[1]))
      assert.deepEqual([...new Set(found)].sort(), codes, errors.join('\n'))
      if (texts.every((text) => text.includes('node:http'))) {
        assert.deepEqual(files.filter((file) => /@types\/(express|connect|body-parser|qs)/.test(file)), [])
      }
    })
  }
})
