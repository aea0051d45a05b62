'use strict'

// What stands before an app in tests: requests that come from a program, some
// of them over no socket at all.

const connect = require('connect')
const express = require('express')
const inject = require('light-my-request')
const supertest = require('supertest')
const { alike } = require('./support/alike')
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

const declared = ({ body, chunked }) =>
  body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }

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
    const { statusCode, payload } = await inject(app, {
      method,
      url: '/',
      headers: { ...headers, ...coding, ...declared({ body, chunked }) },
      payload: body
    })
    return { status: statusCode, text: payload }
  }
  alike(sideOf(subject, send, 'connect'), sideOf(oracle, send, 'connect'))
})
