'use strict'

// `req.rawBody` has a type for those who ask for it, and for nobody else: of a
// property there may be one declaration, and many apps have theirs.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { place, remove } = require('../support/project')
const compile = require('../support/typescript')

const REFERENCE = '/// <reference types="fast-body-parser/raw-body" />\n'
const IMPORT = "import type {} from 'fast-body-parser/raw-body'\n"

const PLAIN = `
import { json } from 'fast-body-parser'
import { createServer } from 'node:http'
const parse = json({ rawBody: true })
createServer((req, res) => parse(req, res, () => {
  const bytes: Buffer | undefined = req.rawBody
  res.end(bytes?.toString('hex'))
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

/** Source, and the codes of the errors that TypeScript finds. */
const programs = {
  'asked for by a reference': [REFERENCE + PLAIN, []],
  'asked for by an import': [IMPORT + PLAIN, []],
  'asked for, in Express': [REFERENCE + EXPRESS, []],
  'not asked for': [PLAIN, [2339]],
  'not asked for, in Express': [EXPRESS, [2339]],
  'perhaps not there': [REFERENCE + PLAIN.replace('bytes?.', 'req.rawBody.'), [18048]],
  'declared by the app': [OWN, []],
  'declared by the app, and asked for': [REFERENCE + OWN, [2322, 2687, 2717]],
  'declared by the app in the same way, and asked for': [
    REFERENCE + OWN.replace('rawBody: string', 'rawBody?: Buffer | undefined').replace('.toString()', ''), []
  ],
  'declared by others': [REFERENCE + OTHERS, []]
}

describe('types of rawBody', function () {
  this.timeout(60_000) // ms; npm packs

  let folder

  before(async () => {
    const sources = Object.values(programs).map(([source], i) => [`${i}.ts`, source])
    folder = await place({ ...Object.fromEntries(sources), 'plain.ts': PLAIN })
  })

  after(() => remove(folder))

  for (const [i, [what, [, codes]]] of Object.entries(programs).entries()) {
    it(what, () => {
      const { errors } = compile(folder, [`${i}.ts`], { module: 'nodenext' })
      assert.deepEqual([...new Set(errors.map(codeOf))].sort(), codes, errors.join('\n'))
    })
  }

  it('asked for in the settings', () => {
    assert.deepEqual(compile(folder, ['plain.ts'], { module: 'nodenext', types: ['fast-body-parser/raw-body'] }).errors,
      [])
  })

  it('asked for, resolves as before', () => {
    assert.deepEqual(
      compile(folder, ['0.ts', '1.ts'],
        { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }).errors,
      []
    )
  })

  it('asked for, with the newest types of Node', () => {
    const types = path.join(folder, 'node_modules/@types')
    fs.rmSync(types) // a link
    fs.mkdirSync(types)
    fs.symlinkSync(path.dirname(require.resolve('types-node/package.json')), path.join(types, 'node'))
    const { errors, files } = compile(folder, ['0.ts', '1.ts'], { module: 'nodenext' })
    assert.deepEqual(errors, [])
    assert.deepEqual(files.filter((name) => name.includes('/@types/node/')), [])
    assert.notDeepEqual(files.filter((name) => name.includes('/types-node/')), [])
  })
})

function codeOf (error) {
  return Number(/: (\d+) /.exec(error)[1])
}
