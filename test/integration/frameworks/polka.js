'use strict'

const polka = require('polka')
const { alike } = require('./support/alike')
const { serve } = require('./support/serve')
const { answer, oracle, stack, subject } = require('./support/stack')

describe('Polka', () => {
  const create = (bodyParser) => () => {
    const app = polka({ onError: (error, req, res) => answer(req, res, error) })
      .use(...stack(bodyParser))
      .all('/', (req, res) => answer(req, res))
    return serve(app.handler)
  }
  alike(create(subject), create(oracle))
})
