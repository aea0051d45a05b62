'use strict'

const assert = require('node:assert/strict')
const { alike } = require('./support/alike')
const { serve } = require('./support/serve')
const { answer, failed, oracle, stack, subject } = require('./support/stack')

describe('Restify', () => {
  const restify = load()
  const create = (bodyParser) => () => {
    const app = restify.createServer()
    app.use(stack(bodyParser))
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
  }

  if (restify instanceof Error) {
    it(`does not load on Node ${process.version}: ${restify.message}`, function () {
      assert.ok(Number(process.versions.node.split('.')[0]) > 20) // there it must
      this.skip()
    })
  } else alike(create(subject), create(oracle))
})

/** It goes by way of spdy, which reaches for what newer Nodes have closed. */
function load () {
  const { emitWarning } = process
  process.emitWarning = () => {} // spdy's
  try {
    return require('restify')
  } catch (error) {
    return error
  } finally {
    process.emitWarning = emitWarning
  }
}
