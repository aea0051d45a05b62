'use strict'

// A test that fakes timers never lets them run out by itself. Requests must be
// answered without them.

const { both } = require('./support/both')
const { answerTo, requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

const rows = requests.map((request) => ({ it: `answers ${request.it}`, request, answer: answerTo(request) }))

describe(titleOf('@sinonjs/fake-timers'), () => {
  both('fake-timers.js', rows)
})
