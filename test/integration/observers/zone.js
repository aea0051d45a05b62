'use strict'

const { both } = require('./support/both')
const { answerTo, requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

const rows = requests.map((request) => ({
  it: `is in the zone of ${request.it}`,
  request,
  answer: answerTo(request, { context: 'request' })
}))

describe(titleOf('zone.js'), () => {
  both('zone.js', rows)
})
