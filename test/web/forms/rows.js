'use strict'

// The tests of the middleware's forms, run through /web.

const { loadThroughWeb } = require('../../support/forms-of-web')

/** File -> titles of tests that are about a request of Node.js, or an option that /web does not have. */
const FILES = {
  'form/forms': [],
  'form/nest': [],
  'limits/rules': ['is asked once for each file, with what its header says, and the request', 'holds back the request while it decides', 'gets the request'],
  'parts/boundary': [],
  'parts/form-charset': []
}

for (const [name, others] of Object.entries(FILES)) {
  describe(`fast-body-parser/web, as the middleware, ${name}:`, () => loadThroughWeb(require.resolve(`../../uploads/${name}`), others))
}
