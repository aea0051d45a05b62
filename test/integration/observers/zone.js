'use strict'

const { both } = require('./support/both')
const { answerTo, requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

// An error that needs no look at the body leaves the zone: it is reported by the
// process.nextTick from before zone.js, on which tests that fake timers rely.
const isRefused = ({ it }) => it === 'JSON over the limit'

const rows = requests.filter((request) => !isRefused(request)).map((request) => ({
  it: `is in the zone of ${request.it}`,
  request,
  answer: answerTo(request, { context: 'request' })
}))

describe(titleOf('zone.js'), () => {
  both('zone.js', rows)
})
