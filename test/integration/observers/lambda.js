'use strict'

// Wrappers of Lambda: they make a request out of an event, which is no socket
// and not read like one. Express gets it, with our parsers and with its own.

const assert = require('node:assert/strict')
const { createRequire } = require('node:module')
const path = require('node:path')
const zlib = require('node:zlib')
const express = require('express')
const multer = require('../../../lib/types/multer')
const { alike } = require('../frameworks/support/alike')
const { requests } = require('../frameworks/support/requests')
const { failed, oracle, seen, stack, subject } = require('../frameworks/support/stack')
const eventsOf = require('./support/events')
const { sides, titleOf } = require('./support/sides')

/** How each makes a handler of an app. */
const wrappers = {
  '@codegenie/serverless-express': (app) => require('@codegenie/serverless-express')({ app }),
  '@codegenie/serverless-express-5': (app) => require('@codegenie/serverless-express-5')({ app }),
  '@h4ad/serverless-adapter': adapt,
  '@vendia/serverless-express': (app) => require('@vendia/serverless-express')({ app }),
  'serverless-http': (app) => require('serverless-http')(app)
}

function adapt (app) {
  const { ServerlessAdapter } = require('@h4ad/serverless-adapter')
  const { AlbAdapter, ApiGatewayV1Adapter, ApiGatewayV2Adapter } = require('@h4ad/serverless-adapter/adapters/aws')
  const { ExpressFramework } = require('@h4ad/serverless-adapter/frameworks/express')
  const { DefaultHandler } = require('@h4ad/serverless-adapter/handlers/default')
  const { PromiseResolver } = require('@h4ad/serverless-adapter/resolvers/promise')
  return ServerlessAdapter.new(app)
    .setFramework(new ExpressFramework())
    .setHandler(new DefaultHandler())
    .setResolver(new PromiseResolver())
    .addAdapter(new AlbAdapter())
    .addAdapter(new ApiGatewayV1Adapter())
    .addAdapter(new ApiGatewayV2Adapter())
    .build()
}

function appOf (express, bodyParser) {
  return express()
    .use(stack(bodyParser))
    .all('/', (req, res) => res.json(seen(req)))
    .use((error, req, res, next) => res.status(error.status).json(failed(error)))
}

async function appUnder (side) {
  const { [side]: folder } = await sides()
  const express = createRequire(path.join(folder, 'index.js'))('express')
  return appOf(express, express)
}

/** Asks by every event that a request may come as: the answers are one. */
const sideOf = (wrap, create) => async () => {
  const handler = wrap(await create())
  return { ask, close: () => {} }

  async function ask (request) {
    const answers = []
    for (const [name, event] of Object.entries(eventsOf(request))) {
      const { statusCode, body } = await handler(event, {})
      const answer = { status: statusCode, text: body }
      answers.push(answer)
      assert.deepEqual(answer, answers[0], name)
    }
    return answers[0]
  }
}

/** They put the bytes on req.body, where parsers that have nothing to do leave them. */
function requestsOf (name) {
  return requests.filter(({ chunked }) => !chunked).map((request) => {
    const isLeft = request.seen && Object.keys(request.seen).length === 0
    const hasBytes = request.body !== undefined || name === 'serverless-http' // which makes some of nothing
    return isLeft && hasBytes
      ? { ...request, seen: { bytes: Buffer.from(request.body ?? '').toString('hex') } }
      : request
  })
}

const collect = async (items, valueOf) => {
  const values = []
  for await (const item of items ?? []) values.push(valueOf(item))
  return values
}

const FORM = 'multipart/form-data; boundary=b'
const form = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
const parts = subject.multipart()
const next = (req, res, next) => next()
const later = (req, res, next) => { setImmediate(next) }
const places = { 'first of all': next, 'behind an asynchronous middleware': later }
const fieldOf = (req) => [req.body.a]
const recordsOf = (req) => collect(req.body, ({ a }) => a)

/** Parsers that body-parser does not have: [Content-Type, body, middleware, what the app gets] */
const others = {
  createParser: ['a/b', '1', subject.createParser({ type: 'a/b', parse: (text) => ({ a: text }) }), fieldOf],
  multipart: [FORM, form, subject.multipart(), fieldOf],
  'parts()': [FORM, form, next, (req, res) => collect(parts.parts(req, res), ({ value }) => value)],
  ndjson: ['application/x-ndjson', '{"a":"1"}\n', subject.ndjson(), recordsOf],
  jsonArray: ['application/json', '[{"a":"1"}]', subject.jsonArray(), recordsOf],
  multer: [FORM, form, multer().none(), fieldOf]
}

function readOthers (wrap) {
  for (const [name, [type, text, parser, valuesOf]] of Object.entries(others)) {
    for (const [place, before] of Object.entries(places)) {
      it(`is read by ${name}, ${place}`, async () => {
        const app = express().use(before).post('/', parser, async (req, res) => res.json(await valuesOf(req, res)))
        const plain = { headers: { 'content-type': type }, body: text }
        const coded = { headers: { ...plain.headers, 'content-encoding': 'gzip' }, body: zlib.gzipSync(text) }
        for (const request of name === 'multer' ? [plain] : [plain, coded]) {
          for (const [source, event] of Object.entries(eventsOf(request))) {
            assert.equal((await wrap(app)(event, {})).body, '["1"]', source)
          }
        }
      })
    }
  }
}

for (const [name, wrap] of Object.entries(wrappers)) {
  const options = { requests: requestsOf(name) }

  describe(titleOf(name), () => {
    alike(sideOf(wrap, () => appOf(express, subject)), sideOf(wrap, () => appOf(express, oracle)), options)

    readOthers(wrap)

    describe('under express', () => {
      alike(sideOf(wrap, () => appUnder('ours')), sideOf(wrap, () => appUnder('theirs')), options)
    })
  })
}
