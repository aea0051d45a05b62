'use strict'

const { both } = require('./support/both')
const { answerTo, requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

/** It takes the body from `req.body`, if the header tells of one. */
function bodyOf ({ body, pieces }) {
  if (pieces.join('') === '') return null
  if (body.type === 'Buffer') return '<Buffer>'
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const rows = requests.map((request) => ({
  it: `sees ${request.it}`,
  request,
  answer: answerTo(request, { context: 'request' }),
  observed: request.error === undefined
    ? [{ name: 'POST /', body: bodyOf(request) }]
    : [{ name: 'POST unknown route', body: null }]
}))

describe(titleOf('elastic-apm-node'), () => {
  both('elastic-apm.js', rows)
})
