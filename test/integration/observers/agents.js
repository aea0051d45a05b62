'use strict'

// What looks at requests beside the app, or changes what the app runs on: it sees the same of each with body-parser.

const { both } = require('./support/both')
const { answerTo, middlewaresOf, requests } = require('./support/requests')
const { titleOf } = require('../support/sides')

const ERROR = 2 // the status of a span
const TRANSACTION = 'WebTransaction/Expressjs/POST//'

/**
 * Place of the package -> its program; what handlers see of its context, and what it sees, for each request. The
 * program of fake timers never lets them run out.
 */
const agents = {
  '@opentelemetry/instrumentation-express': {
    program: 'opentelemetry.js',
    contextOf: ({ error }) => error === undefined ? 'request handler' : 'POST',
    observedOf: spansOf
  },
  '@sinonjs/fake-timers': { program: 'fake-timers.js' },
  'elastic-apm-node': {
    program: 'elastic-apm.js',
    contextOf: () => 'request',
    observedOf: (request) => request.error === undefined
      ? [{ name: 'POST /', body: textOf(request) }]
      : [{ name: 'POST unknown route', body: null }]
  },
  newrelic: {
    program: 'newrelic.js',
    env: {
      NEW_RELIC_APP_NAME: 'observers',
      NEW_RELIC_HOST: '127.0.0.1',
      NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
      NEW_RELIC_LOG_ENABLED: 'false',
      NEW_RELIC_NO_CONFIG_FILE: 'true',
      NEW_RELIC_PORT: '9' // where nobody listens
    },
    contextOf: () => true,
    observedOf: (request) =>
      [{ name: TRANSACTION, segments: segmentsOf(request), failed: request.error !== undefined }]
  },
  'zone.js': { program: 'zone.js', contextOf: () => 'request' }
}

/** The spans of a request, in the order in which they end. */
function spansOf (request) {
  const span = (name) => ({ name, parent: 'POST /', status: 0 })
  const spans = middlewaresOf(request).map((name) => span(`middleware - ${name}`))
  const root = { name: 'POST /', parent: null, status: 0 }
  if (request.error === undefined) return [...spans, root, span('request handler')]
  spans.at(-1).status = ERROR
  return [...spans, root]
}

/** What Elastic takes from `req.body`, if the header tells of a body. */
function textOf ({ body, pieces }) {
  if (pieces.join('') === '') return null
  if (body.type === 'Buffer') return '<Buffer>'
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function segmentsOf (request) {
  const path = request.error === undefined ? ['Expressjs/Route Path: /'] : []
  const last = request.error === undefined ? 'handler' : 'onError'
  const middleware = (name) => `Nodejs/Middleware/Expressjs/${name}`
  return [TRANSACTION, ...middlewaresOf(request).map(middleware), ...path, middleware(last), 'own']
}

for (const [place, { program, env, contextOf = () => undefined, observedOf = () => undefined }] of
  Object.entries(agents)) {
  const rows = requests.map((request) => ({
    it: request.it,
    request,
    answer: answerTo(request, contextOf(request)),
    observed: observedOf(request)
  }))
  describe(titleOf(place), () => both(program, rows, env))
}

// Sentry replaces `on` of every request, and keeps the chunks that listeners of 'data' get.
const faults = requests
  .filter(({ it, error }) => error === undefined && it !== 'an empty body' && !it.includes('gzip'))
  .map(({ it, body, ...request }) => {
    const message = `fault of ${JSON.stringify(body)}`
    return {
      it,
      request: { ...request, path: '/fault' },
      answer: { status: 500, body: { error: message } },
      observed: [{ message, data: request.pieces.join('') }]
    }
  })

for (const name of ['@sentry/node-8', '@sentry/node']) {
  describe(titleOf(name), () => both('sentry.js', faults, { SENTRY: name }))
}
