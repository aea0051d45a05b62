'use strict'

// Whole stacks that answer a small JSON request, each as its documentation shows
// it, with the defaults of its parser. An app of tools/lab/server.js.

const http = require('node:http')

const BODY_PARSER = ['type', 'limit', 'charset', 'coding', 'strict']

/** What every app answers, from what it parsed. */
const answerTo = (body) => ({ name: body?.name ?? null })

/**
 * @typedef {object} Stack
 * @property {string} name
 * @property {string[]} packages whose versions are shown
 * @property {string[]} checks of those in test/tools/bench/stacks.js
 * @property {() => http.Server | Promise<http.Server>} serve
 */

/** @type {Stack[]} */
const stacks = [
  {
    name: 'Express, body-parser',
    packages: ['express', 'body-parser'],
    checks: BODY_PARSER,
    serve: () => serveExpress('body-parser')
  },
  {
    name: 'Express, ours',
    packages: ['express'],
    checks: BODY_PARSER,
    serve: () => serveExpress('..')
  },
  {
    name: 'node:http, ours',
    packages: [],
    checks: BODY_PARSER,
    serve () {
      const parse = require('..').json()
      return http.createServer((req, res) => parse(req, res, (error) => {
        res.statusCode = error?.status ?? 200
        res.setHeader('Content-Type', 'application/json')
        res.end(JSON.stringify(error ?? answerTo(req.body)))
      }))
    }
  },
  {
    name: 'Fastify',
    packages: ['fastify'],
    checks: ['type', 'limit', '__proto__'],
    async serve () {
      const app = require('fastify')()
      app.post('/', async (request) => answerTo(request.body))
      await app.ready()
      return app.server
    }
  },
  {
    name: 'Koa',
    packages: ['koa', '@koa/bodyparser'],
    checks: ['type', 'limit', 'coding', 'strict', '__proto__'],
    async serve () {
      const { default: Koa } = await import('koa')
      const { bodyParser } = await import('@koa/bodyparser')
      const app = new Koa()
      app.silent = true // else it prints errors
      app.use(bodyParser())
      app.use((ctx) => { ctx.body = answerTo(ctx.request.body) })
      return http.createServer(app.callback())
    }
  },
  {
    name: 'Hono',
    packages: ['hono', '@hono/node-server'],
    checks: [],
    async serve () {
      const { Hono } = await import('hono')
      const { createAdaptorServer } = await import('@hono/node-server')
      const app = new Hono()
      app.post('/', async (c) => c.json(answerTo(await c.req.json())))
      return createAdaptorServer(app)
    }
  },
  {
    name: 'h3',
    packages: ['h3', 'srvx'],
    checks: [],
    async serve () {
      const { H3, readBody, toNodeHandler } = await import('h3')
      const app = new H3()
      app.post('/', async (event) => answerTo(await readBody(event)))
      return http.createServer(toNodeHandler(app))
    }
  }
]

function serveExpress (id) {
  const app = require('express')()
  app.use(require(id).json())
  app.post('/', (req, res) => res.json(answerTo(req.body)))
  const refuse = (error, req, res, next) => res.status(error.status ?? 500).json({ error: error.type })
  app.use(refuse) // else Express prints it
  return http.createServer(app)
}

/** @param {{ stack: string }} settings */
const createServer = ({ stack }) => stacks.find(({ name }) => name === stack).serve()

module.exports = { answerTo, createServer, stacks }
