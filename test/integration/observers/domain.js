'use strict'

// node:domain, which some tools that report errors still use. A process that has
// loaded it calls hooks for each promise and timer from then on, so these rows are
// not beside the others of test/compat/async-context.js.

const domain = require('node:domain')
const { alike, codedKinds, cutKinds, kinds } = require('../../support/observation')

for (const [kind, request] of Object.entries({ ...kinds, ...codedKinds, ...cutKinds })) {
  describe(`the domain of next for ${kind}`, () => {
    alike('is that of the call', ({ req, res, parser, note, next }) => {
      const own = domain.create()
      own.run(() => parser(req, res, (error) => {
        note(process.domain === own)
        next(error)
      }))
      note(process.domain === own)
    }, request)
  })
}
