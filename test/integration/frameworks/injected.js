'use strict'

// What stands before an app in tests and on Lambda: requests that come from a
// program, two of the three over no socket at all.

const connect = require('connect')
const express = require('express')
const inject = require('light-my-request')
const serverless = require('serverless-http')
const supertest = require('supertest')
const { alike } = require('./support/alike')
const { requests } = require('./support/requests')
const { answer, failed, oracle, seen, stack, subject } = require('./support/stack')

const apps = {
  express: (parsers) => express()
    .use(parsers)
    .all('/', (req, res) => res.json(seen(req)))
    .use((error, req, res, next) => res.status(error.status).json(failed(error))),
  // light-my-request would change Express for all that comes after it in this process
  connect: (parsers) => parsers.reduce((app, parser) => app.use(parser), connect())
    .use((req, res) => answer(req, res))
    .use((error, req, res, next) => answer(req, res, error))
}

const sideOf = (bodyParser, send, kind = 'express') => async () => {
  const app = apps[kind](stack(bodyParser))
  return { ask: (request) => send(app, request), close: () => {} }
}

const declared = ({ body, chunked }) => body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }

describe('supertest', () => {
  const send = async (app, { method = 'POST', headers = {}, body }) => {
    const test = supertest(app)[method.toLowerCase()]('/').set(headers).serialize((bytes) => bytes)
    const { status, text } = await (body === undefined ? test : test.send(Buffer.from(body)))
    return { status, text }
  }
  alike(sideOf(subject, send), sideOf(oracle, send))
})

describe('light-my-request', () => {
  const send = async (app, { method = 'POST', headers, body, chunked }) => {
    const coding = chunked ? { 'transfer-encoding': 'chunked' } : {}
    const { statusCode, payload } = await inject(app, { method, url: '/', headers: { ...headers, ...coding, ...declared({ body, chunked }) }, payload: body })
    return { status: statusCode, text: payload }
  }
  alike(sideOf(subject, send, 'connect'), sideOf(oracle, send, 'connect'))
})

describe('serverless-http', () => {
  const isText = (bytes) => bytes.equals(Buffer.from(bytes.toString()))

  /** The events of an API gateway, which sends as base64 what is no text. */
  const events = {
    'payload 1.0': (method, headers, content) => ({ httpMethod: method, path: '/', headers, requestContext: { identity: {} }, ...content }),
    'payload 2.0': (method, headers, content) => ({ version: '2.0', rawPath: '/', rawQueryString: '', headers, requestContext: { http: { method, sourceIp: '127.0.0.1' } }, ...content })
  }

  for (const [version, create] of Object.entries(events)) {
    describe(version, () => {
      const send = async (app, { method = 'POST', headers = {}, body }) => {
        const bytes = Buffer.from(body ?? '')
        const isBase64Encoded = !isText(bytes)
        const content = { body: body === undefined ? null : bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded }
        const length = body === undefined ? {} : { 'content-length': String(bytes.length) }
        const { statusCode, body: text } = await serverless(app)(create(method, { ...headers, ...length }, content), {})
        return { status: statusCode, text }
      }
      // it puts the bytes on req.body, where parsers that have nothing to do leave them
      const rows = requests.map((request) => {
        const isLeft = request.seen && Object.keys(request.seen).length === 0
        return isLeft ? { ...request, seen: { bytes: Buffer.from(request.body ?? '').toString('hex') } } : request
      })
      alike(sideOf(subject, send), sideOf(oracle, send), { requests: rows })
    })
  }
})
