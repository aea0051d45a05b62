'use strict'

// Wrappers of Lambda: they make a request out of an event, which is no socket and not read like one.

const assert = require('node:assert/strict')
const express = require('express')
const multer = require('../../../lib/types/multer')
const { form, TYPE } = require('../../support/upload')
const { alike } = require('../support/alike')
const requests = require('../support/requests')
const { titleOf } = require('../support/sides')
const { expressApp, oracle, stack, subject } = require('../support/stack')
const eventsOf = require('./support/events')

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

/** Asks by every event that a request may come as: the answers are one. */
async function askBy (handler, request) {
  const answers = []
  for (const [name, event] of Object.entries(eventsOf(request))) {
    const { statusCode, body } = await handler(event, {})
    answers.push({ status: statusCode, text: body })
    assert.deepEqual(answers.at(-1), answers[0], name)
  }
  return answers[0]
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

const oneField = form(['a', '1'])
const parts = subject.multipart()
const next = (req, res, next) => next()
const fieldOf = (req) => [req.body.a]
const recordsOf = (req) => collect(req.body, ({ a }) => a)

/** Parsers that body-parser does not have: [Content-Type, body, middleware, what the app gets] */
const others = {
  createParser: ['a/b', '1', subject.createParser({ type: 'a/b', parse: (text) => ({ a: text }) }), fieldOf],
  multipart: [TYPE, oneField, subject.multipart(), fieldOf],
  'parts()': [TYPE, oneField, next, (req, res) => collect(parts.parts(req, res), ({ value }) => value)],
  ndjson: ['application/x-ndjson', '{"a":"1"}\n', subject.ndjson(), recordsOf],
  jsonArray: ['application/json', '[{"a":"1"}]', subject.jsonArray(), recordsOf],
  multer: [TYPE, oneField, multer().none(), fieldOf]
}

for (const [name, wrap] of Object.entries(wrappers)) {
  describe(titleOf(name), () => {
    const sideOf = (bodyParser) => async () => {
      const handler = wrap(expressApp(express, stack(bodyParser)))
      return { ask: (request) => askBy(handler, request), close: () => {} }
    }

    alike(sideOf(subject), sideOf(oracle), requestsOf(name))

    for (const [name, [type, body, parser, valuesOf]] of Object.entries(others)) {
      it(`is read by ${name}, first of all and behind an asynchronous middleware`, async () => {
        const answer = async (req, res) => res.json(await valuesOf(req, res))
        for (const before of [next, (req, res, next) => { setImmediate(next) }]) {
          const handler = wrap(express().use(before).post('/', parser, answer))
          const { text } = await askBy(handler, { headers: { 'content-type': type }, body })
          assert.equal(text, '["1"]')
        }
      })
    }
  })
}
