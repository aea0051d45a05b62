'use strict'

// npm run bench: what a parser costs in one process, beside its peers.

const benchCommand = require('./suite/command')

benchCommand({
  usage: `What a parser costs in one process, beside its peers: twenty minutes, or five with --quick.

  npm run bench -- --node=24
`,
  filter: 'json, form or cold',
  options: { quick: { help: 'fewer and shorter rounds: a first look' } },
  stepsOf: (values) => require('./suite/steps')(values), // loaded once the packages are installed
  tablesOf: (results) => require('./suite/tables').tablesOf(results),
  summaryOf: (results, about) => require('./suite/tables').summaryOf(results, about)
})
