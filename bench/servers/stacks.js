'use strict'

// Whole stacks that answer a small JSON request, each as its documentation
// shows it, with the defaults of its parser.

const http = require('node:http')

const BODY_PARSER = ['type', 'limit', 'charset', 'coding', 'strict']

/** What every app answers, from what it parsed. */
const answerTo = (body) => ({ name: body?.name ?? null })

/**
 * @typedef {object} Stack
 * @property {string} name
 * @property {string[]} packages whose versions are shown
 * @property {string[]} checks of those in test/tools/bench/stacks.js
 * @property {(host: string) => Promise<http.Server>} serve listens on any free port
 */

/** @type {Stack[]} */
const stacks = [
  {
    name: 'Express, body-parser',
    packages: ['express', 'body-parser'],
    checks: BODY_PARSER,
    serve: (host) => serveExpress(host, require('body-parser'))
  },
  {
    name: 'Express, ours',
    packages: ['express'],
    checks: BODY_PARSER,
    serve: (host) => serveExpress(host, require('../..'))
  },
  {
    name: 'node:http, ours',
    packages: [],
    checks: BODY_PARSER,
    serve (host) {
      const parse = require('../..').json()
      return listening(host, http.createServer((req, res) => parse(req, res, (error) => {
        res.statusCode = error?.status ?? 200
        res.setHeader('Content-Type', 'application/json')
        res.end(JSON.stringify(error ?? answerTo(req.body)))
      })))
    }
  },
  {
    name: 'Fastify',
    packages: ['fastify'],
    checks: ['type', 'limit', '__proto__'],
    async serve (host) {
      const app = require('fastify')()
      app.post('/', async (request) => answerTo(request.body))
      await app.listen({ host, port: 0 })
      return app.server
    }
  },
  {
    name: 'Koa, @koa/bodyparser',
    packages: ['koa', '@koa/bodyparser'],
    checks: ['type', 'limit', 'coding', 'strict', '__proto__'],
    async serve (host) {
      const { default: Koa } = await import('koa')
      const { bodyParser } = await import('@koa/bodyparser')
      const app = new Koa()
      app.silent = true // else it prints errors
      app.use(bodyParser())
      app.use((ctx) => { ctx.body = answerTo(ctx.request.body) })
      return listening(host, http.createServer(app.callback()))
    }
  },
  {
    name: 'Hono, @hono/node-server',
    packages: ['hono', '@hono/node-server'],
    checks: [],
    async serve (host) {
      const { Hono } = await import('hono')
      const { serve } = await import('@hono/node-server')
      const app = new Hono()
      app.post('/', async (c) => c.json(answerTo(await c.req.json())))
      return new Promise((resolve) => {
        const server = serve({ fetch: app.fetch, hostname: host, port: 0 }, () => resolve(server))
      })
    }
  },
  {
    name: 'h3, srvx',
    packages: ['h3', 'srvx'],
    checks: [],
    async serve (host) {
      const { H3, readBody } = await import('h3')
      const { serve } = await import('srvx')
      const app = new H3()
      app.post('/', async (event) => answerTo(await readBody(event)))
      const server = serve({ fetch: app.fetch, hostname: host, port: 0, silent: true })
      await server.ready()
      return server.node.server
    }
  }
]

function serveExpress (host, bodyParser) {
  const app = require('express')()
  app.use(bodyParser.json())
  app.post('/', (req, res) => res.json(answerTo(req.body)))
  app.use((error, req, res, next) => res.status(error.status ?? 500).json({ error: error.type })) // else Express prints it
  return listening(host, http.createServer(app))
}

async function listening (host, server) {
  await new Promise((resolve) => server.listen(0, host, resolve))
  return server
}

module.exports = { answerTo, stacks }
