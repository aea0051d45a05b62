'use strict'

// Frameworks that run the middlewares of Connect, some by a package of their own, and Express under `overrides` with
// its own parsers. Koa and Fastify by their own ways are in programs.js.

const assert = require('node:assert/strict')
const connect = require('connect')
const Fastify = require('fastify')
const Koa = require('koa')
const koaConnect = require('koa-connect')
const polka = require('polka')
const { alike, serve, sideOf } = require('../support/alike')
const { requires } = require('../support/sides')
const { answer, expressApp, failed, oracle, seen, stack, subject } = require('../support/stack')

/** Starts an app of these parsers. */
const frameworks = {
  'Express 5': (parsers) => serve(expressApp(require('express'), parsers)),
  'Express 4': (parsers) => serve(expressApp(require('express-4'), parsers)),

  Connect (parsers) {
    const app = connect()
    for (const parser of parsers) app.use(parser)
    app.use((req, res) => answer(req, res))
    app.use((error, req, res, next) => answer(req, res, error))
    return serve(app)
  },

  Polka (parsers) {
    const app = polka({ onError: (error, req, res) => answer(req, res, error) })
    return serve(app.use(...parsers).all('/', (req, res) => answer(req, res)).handler)
  },

  'Koa, by koa-connect' (parsers) {
    const app = new Koa()
    app.use(async (context, next) => {
      try {
        await next()
      } catch (error) {
        context.body = failed(error)
        context.status = error.status
      }
    })
    for (const parser of parsers) app.use(koaConnect(parser))
    app.use((context) => { context.body = seen(context.req) })
    return serve(app.callback())
  },

  async 'Fastify, by @fastify/express' (parsers) {
    const app = Fastify({ forceCloseConnections: true })
    await app.register(require('@fastify/express'))
    for (const parser of parsers) app.use(parser)
    app.removeAllContentTypeParsers() // the body has been read
    app.addContentTypeParser('*', (request, payload, done) => done(null))
    app.setErrorHandler((error, request, reply) => reply.code(error.status).send(failed(error)))
    app.all('/', async (request) => seen(request.raw))
    await app.listen({ host: '127.0.0.1', port: 0 })
    return sideOf(app.server, () => app.close())
  }
}

for (const [name, start] of Object.entries(frameworks)) {
  describe(name, () => alike(async () => start(stack(subject)), async () => start(stack(oracle))))
}

for (const name of ['express', 'express-4']) {
  describe(`${name} under overrides`, () => {
    alike(async () => {
      const { ours } = await requires()
      const express = ours(name)
      for (const parser of ['json', 'raw', 'text', 'urlencoded']) {
        assert.equal(express[parser], ours('body-parser')[parser])
      }
      return serve(expressApp(express, stack(express)))
    }, () => serve(expressApp(require(name), stack(oracle))))
  })
}
