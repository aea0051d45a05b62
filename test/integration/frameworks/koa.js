'use strict'

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
