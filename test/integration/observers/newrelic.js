'use strict'

const { both } = require('./support/both')
const { answerTo, middlewaresOf, requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

const env = {
  NEW_RELIC_APP_NAME: 'observers',
  NEW_RELIC_HOST: '127.0.0.1',
  NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
  NEW_RELIC_LOG_ENABLED: 'false',
  NEW_RELIC_NO_CONFIG_FILE: 'true',
  NEW_RELIC_PORT: '9' // where nobody listens
}

const NAME = 'WebTransaction/Expressjs/POST//'

function segmentsOf (request) {
  const path = request.error === undefined ? ['Expressjs/Route Path: /'] : []
  const last = request.error === undefined ? 'handler' : 'onError'
  const middleware = (name) => `Nodejs/Middleware/Expressjs/${name}`
  return [NAME, ...middlewaresOf(request).map(middleware), ...path, middleware(last), 'own']
}

const rows = requests.map((request) => ({
  it: `has the segments of ${request.it}`,
  request,
  answer: answerTo(request, { context: true }),
  observed: [{ name: NAME, segments: segmentsOf(request), failed: request.error !== undefined }]
}))

describe(titleOf('newrelic'), () => {
  both('newrelic.js', rows, env)
})
