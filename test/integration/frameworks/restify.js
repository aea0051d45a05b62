'use strict'

const assert = require('node:assert/strict')
const { alike } = require('./support/alike')
const { serve } = require('./support/serve')
const { answer, failed, oracle, stack, subject } = require('./support/stack')

describe('Restify 11', () => test('restify'))
describe('Restify 12', () => test('restify-12'))

function test (name) {
  const restify = load(name)
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
      assert.ok(name === 'restify' && Number(process.versions.node.split('.')[0]) > 20) // there it must
      this.skip()
    })
  } else alike(create(subject), create(oracle))
}

/** Version 11 goes by way of spdy, which reaches for what newer Nodes have closed. */
function load (name) {
  const { emitWarning } = process
  process.emitWarning = () => {} // spdy's
  try {
    return require(name)
  } catch (error) {
    return error
  } finally {
    process.emitWarning = emitWarning
  }
}
