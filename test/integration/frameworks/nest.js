'use strict'

// NestJS on Express: its own parsers replaced by overrides, and ours in their
// place by app.use. Its decorators are called by hand, as this is no TypeScript.

const assert = require('node:assert/strict')
const { pathToFileURL } = require('node:url')
const { alike } = require('./support/alike')
const overridden = require('./support/overridden')
const { json, object, requests, text } = require('./support/requests')
const { sideOf } = require('./support/serve')
const { oracle, seen, stack, subject } = require('./support/stack')

const limit = '1kb'

/**
 * @param {NodeJS.Require} require where to find Nest
 * @param {object} options of NestFactory
 * @param {(app: object) => void} prepare
 */
async function start (require, options, prepare) {
  const load = (name) => import(pathToFileURL(require.resolve(name)))
  await load('reflect-metadata')
  const { All, Controller, HttpCode, Module, Req } = await load('@nestjs/common')
  const { NestFactory } = await load('@nestjs/core')

  class Bodies {
    all (req) {
      return { ...seen(req), raw: req.rawBody?.toString('hex') }
    }
  }
  const method = Object.getOwnPropertyDescriptor(Bodies.prototype, 'all')
  Req()(Bodies.prototype, 'all', 0)
  HttpCode(200)(Bodies.prototype, 'all', method)
  All('/')(Bodies.prototype, 'all', method)
  Controller()(Bodies)
  class App {}
  Module({ controllers: [Bodies] })(App)

  const app = await NestFactory.create(App, { logger: false, forceCloseConnections: true, ...options })
  prepare(app)
  await app.listen(0, '127.0.0.1')
  return { ...sideOf(app.getHttpServer(), () => app.close()), app }
}

const byParsers = (app) => {
  app.useBodyParser('json', { limit })
  app.useBodyParser('urlencoded', { limit, extended: true })
  app.useBodyParser('text', { limit })
  app.useBodyParser('raw', { limit })
}

/** Rows that the two parsers which Nest puts in by itself read. */
const isDefault = ({ headers = {}, error }) => /json|urlencoded/.test(headers['content-type']) && error?.status !== 413
const withRaw = (rows) => rows.map((row) => {
  const coded = row.headers?.['content-encoding']
  return row.seen?.body && typeof row.seen.body === 'object'
    ? { ...row, seen: { ...row.seen, raw: Buffer.from(coded ? text : row.body).toString('hex') } }
    : row
})

describe(`NestJS ${require('@nestjs/core/package.json').version}`, () => {
  const compare = (options, prepare, rows) => {
    alike(async () => start(await overridden(), options, prepare), () => start(require, options, prepare),
      { requests: rows })
  }

  const byDefault = requests.filter(isDefault)
  const rows = {
    'its own parsers': [{}, () => {}, byDefault],
    rawBody: [{ rawBody: true }, () => {}, withRaw(byDefault)],
    useBodyParser: [{}, byParsers, requests],
    'useBodyParser and rawBody': [{ rawBody: true }, (app) => app.useBodyParser('json', { limit }), withRaw(byDefault)]
  }
  for (const [what, row] of Object.entries(rows)) describe(`with ${what}, under overrides`, () => compare(...row))

  describe('with bodyParser: false and app.use', () => {
    const side = (bodyParser) => () => start(require, { bodyParser: false }, (app) => app.use(...stack(bodyParser)))
    alike(side(subject), side(oracle), { requests })
  })

  // Nest leaves out its own parser where it finds one by the name of its function
  it('finds ours by its name', async () => {
    for (const bodyParser of [subject, oracle]) {
      const side = await start(require, {}, (app) => app.use(bodyParser.json({ type: 'application/vnd.api+json' })))
      try {
        const { text: answer } = await side.ask({ headers: json, body: text })
        assert.deepEqual(JSON.parse(answer), {})
        const other = await side.ask({ headers: { 'content-type': 'application/vnd.api+json' }, body: text })
        assert.deepEqual(JSON.parse(other.text), { body: object })
      } finally {
        await side.close()
      }
    }
  })
})
