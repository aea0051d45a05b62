'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const Koa = require('koa')
const connect = require('koa-connect')
const { alike } = require('./support/alike')
const { serve } = require('./support/serve')
const { failed, oracle, seen, stack, subject } = require('./support/stack')

describe('Koa, by koa-connect', () => {
  const create = (bodyParser) => () => {
    const app = new Koa()
    app.use(async (context, next) => {
      try {
        await next()
      } catch (error) {
        context.body = failed(error)
        context.status = error.status
      }
    })
    for (const parser of stack(bodyParser)) app.use(connect(parser))
    app.use((context) => {
      context.body = seen(context.req)
    })
    return serve(app.callback())
  }
  alike(create(subject), create(oracle))
})

describe('Koa, by read', () => {
  it('gets the body of its request', async () => {
    const app = new Koa()
    const { read } = subject.json()
    app.use(async (context) => {
      context.body = { received: await read(context.req, context.res) }
    })
    app.silent = true
    const server = http.createServer(app.callback()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const post = (body) => fetch(`http://127.0.0.1:${server.address().port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body
    })
    assert.deepEqual(await (await post('{"a":1}')).json(), { received: { a: 1 } })
    const refused = await post('5')
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /JSON/)
    server.closeAllConnections()
    server.close()
  })
})
