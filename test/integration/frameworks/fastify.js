'use strict'

// Fastify, whose plugins run middlewares of Connect before its own parsers.

const Fastify = require('fastify')
const { alike } = require('./support/alike')
const { sideOf } = require('./support/serve')
const { failed, oracle, seen, stack, subject } = require('./support/stack')

for (const plugin of ['@fastify/express', '@fastify/middie']) {
  describe(`Fastify, by ${plugin}`, () => {
    const create = (bodyParser) => async () => {
      const app = Fastify({ forceCloseConnections: true })
      await app.register(require(plugin))
      for (const parser of stack(bodyParser)) app.use(parser)
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
    alike(create(subject), create(oracle))
  })
}
