'use strict'

// Frameworks that run the middlewares of Connect, some by a package of their own. Koa and Fastify by their own
// ways are in programs.js.

const connect = require('connect')
const Fastify = require('fastify')
const Koa = require('koa')
const koaConnect = require('koa-connect')
const polka = require('polka')
const restify = require('restify-12')
const { alike } = require('./support/alike')
const { serve, sideOf } = require('./support/serve')
const { answer, failed, oracle, seen, stack, subject } = require('./support/stack')

/** Starts an app of these parsers. */
const frameworks = {
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

  Restify (parsers) {
    const app = restify.createServer()
    app.use(parsers)
    for (const method of ['get', 'patch', 'post']) {
      app[method]('/', (req, res, next) => {
        answer(req, res)
        next()
      })
    }
    app.on('restifyError', (req, res, error, callback) => {
      error.toJSON = () => failed(error)
      callback()
    })
    return serve(app.server)
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

  'Fastify, by @fastify/express': (parsers) => serveFastify(require('@fastify/express'), parsers),
  'Fastify, by @fastify/middie': (parsers) => serveFastify(require('@fastify/middie'), parsers)
}

async function serveFastify (plugin, parsers) {
  const app = Fastify({ forceCloseConnections: true })
  await app.register(plugin)
  for (const parser of parsers) app.use(parser)
  app.removeAllContentTypeParsers() // the body has been read
  app.addContentTypeParser('*', (request, payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    const content = failed(error)
    reply.code(content.error.status).send(content)
  })
  app.all('/', async (request) => seen(request.raw))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return sideOf(app.server, () => app.close())
}

for (const [name, start] of Object.entries(frameworks)) {
  describe(name, () => alike(async () => start(stack(subject)), async () => start(stack(oracle))))
}
