'use strict'

// The middlewares fit where Express 4 and 5 and connect want theirs, and need
// none of their types.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { place, remove } = require('../support/project')
const compile = require('../support/typescript')

const handlers = (name) => `
import bodyParser, { json, urlencoded, type Middleware } from 'fast-body-parser'
import express, { type RequestHandler } from '${name}'
const app = express()
export const handlers: RequestHandler[] = [
  json(), urlencoded(), bodyParser.text(), bodyParser.raw(),
  bodyParser.createParser({ type: 'a/b', parse: (text) => text })
]
app.use(json())
app.use('/hooks', [json(), urlencoded({ extended: true })], bodyParser.raw())
app.post<{ id: string }>('/:id', json({ verify (req: express.Request) { return req.ip } }), (req, res) => {
  res.json({ id: req.params.id, body: req.body })
})
app.use(json({ type: (req) => (req as express.Request).path === '/x' }))
export const router = express.Router().use(...handlers)
// @ts-expect-error strict is in force
export const wrong: RequestHandler = json({ strict: 'no' })
export const back: Middleware = (req, res, next) => next()
`
const sources = {
  'express-5.ts': handlers('express'),
  'express-4.ts': handlers('types-express-4'),
  'connect.ts': `
import { json } from 'fast-body-parser'
import type connect from 'connect'
export const use = (app: connect.Server) => app.use(json()).use('/path', json())
export const handler: connect.NextHandleFunction = json()
`,
  'alone.ts': `
import { json } from 'fast-body-parser'
import { createServer } from 'node:http'
createServer((req, res) => json()(req, res, (error?: Error) => res.end(error?.message)))
`
}

describe('types of middlewares', function () {
  this.timeout(60_000) // ms; npm packs

  let folder

  before(async () => {
    folder = await place(sources)
    const types = path.dirname(require.resolve('types-express-4/package.json'))
    fs.symlinkSync(types, path.join(folder, 'node_modules/types-express-4'))
  })

  after(() => remove(folder))

  for (const name of Object.keys(sources)) {
    it(`fit: ${name}`, () => {
      const { errors, files } = compile(folder, [name], { module: 'nodenext' })
      assert.deepEqual(errors, [])
      if (name === 'alone.ts') {
        assert.deepEqual(files.filter((file) => /@types\/(express|connect|body-parser|qs)/.test(file)), [])
      }
    })
  }
})
