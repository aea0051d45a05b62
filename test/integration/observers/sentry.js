'use strict'

// Sentry replaces `on` of every request, and keeps the chunks that listeners
// of 'data' get. So it sees a body only if it is listened for.

const { both } = require('./support/both')
const { requests } = require('./support/requests')
const { titleOf } = require('./support/sides')

const rows = requests
  .filter(({ it, error }) => error === undefined && it !== 'an empty body' && !it.includes('gzip'))
  .map(({ it, body, ...request }) => {
    const message = `fault of ${JSON.stringify(body)}`
    return {
      it: `sees ${it}`,
      request: { ...request, path: '/fault' },
      answer: { status: 500, body: { error: message } },
      observed: [{ message, data: request.pieces.join('') }]
    }
  })

for (const name of ['@sentry/node-8', '@sentry/node']) {
  describe(titleOf(name), () => {
    both('sentry.js', rows, { SENTRY: name })
  })
}
