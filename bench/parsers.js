'use strict'

// npm run bench, without a name: what a parser costs in one process, beside its peers.

const measureCold = require('./measure/cold')
const rows = require('./rows')
const benchCommand = require('./suite/command')
const measureRow = require('./suite/measure-row')
const { summaryOf, tablesOf } = require('./suite/tables')

// Rounds are short, so that the noise of the machine spares some of them.
const FULL = { rounds: 9, sets: 2, roundTime: 4, warmUp: 160, coldRounds: 5 } // times in ms
const QUICK = { rounds: 8, sets: 1, roundTime: 3, warmUp: 100, coldRounds: 3 }

benchCommand({
  usage: `What a parser costs in one process, beside its peers: twenty minutes, or five with --quick.

  npm run bench -- --node=24
  npm run bench -- --filter="cold start"

What else it measures is the first argument: multipart, upload-memory, ndjson,
json-array, small-records, large-bodies, memory, web, web-forms, web-memory.
Each explains itself: npm run bench -- ndjson --help
`,
  options: { quick: { help: 'fewer and shorter rounds: a first look' } },
  stepsOf ({ quick, node }) {
    const settings = { node: node.path, ...(quick ? QUICK : FULL) }
    const steps = rows.map((row) => ({ name: row.name, take: () => measureRow(row, settings) }))
    return [...steps, { name: 'cold start', take: () => measureCold(settings) }]
  },
  tablesOf,
  summaryOf
})
