'use strict'

const connect = require('connect')
const { alike } = require('./support/alike')
const { serve } = require('./support/serve')
const { answer, oracle, stack, subject } = require('./support/stack')

describe('Connect', () => {
  const create = (bodyParser) => () => {
    const app = connect()
    for (const parser of stack(bodyParser)) app.use(parser)
    app.use((req, res) => answer(req, res))
    app.use((error, req, res, next) => answer(req, res, error))
    return serve(app)
  }
  alike(create(subject), create(oracle))
})
