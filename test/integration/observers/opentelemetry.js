'use strict'

const { both } = require('./support/both')
const { answerTo, middlewaresOf, requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

const UNSET = 0
const ERROR = 2

/** The spans of a request, in the order in which they end. */
function spansOf (request) {
  const { error } = request
  const spans = middlewaresOf(request).map((name) => span(`middleware - ${name}`))
  const root = { name: 'POST /', parent: null, status: UNSET }
  if (error === undefined) return [...spans, root, span('request handler')]
  spans.at(-1).status = ERROR
  return [...spans, root]
}

function span (name) {
  return { name, parent: 'POST /', status: UNSET }
}

const rows = requests.map((request) => ({
  it: `has the spans of ${request.it}`,
  request,
  answer: answerTo(request, { context: request.error === undefined ? 'request handler' : 'POST' }),
  observed: spansOf(request)
}))

const [http, express] = ['http', 'express'].map((name) => titleOf(`@opentelemetry/instrumentation-${name}`))

describe(`${http} and ${express}`, () => {
  both('opentelemetry.js', rows)
})
