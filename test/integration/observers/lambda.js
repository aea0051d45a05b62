'use strict'

// Wrappers of Lambda: they make a request out of an event, which is no socket
// and not read like one. Express gets it, with our parsers and with its own.

const assert = require('node:assert/strict')
const { createRequire } = require('node:module')
const path = require('node:path')
const express = require('express')
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

for (const [name, wrap] of Object.entries(wrappers)) {
  const options = { requests: requestsOf(name) }

  describe(titleOf(name), () => {
    alike(sideOf(wrap, () => appOf(express, subject)), sideOf(wrap, () => appOf(express, oracle)), options)

    describe('under express', () => {
      alike(sideOf(wrap, () => appUnder('ours')), sideOf(wrap, () => appUnder('theirs')), options)
    })
  })
}
