'use strict'

// npm run bench -- ndjson, or json-array: loops over records, beside JSON.parse and peers.

const { inWorker } = require('../processes')
const { fieldOf, tableOf } = require('../table')
const { rows, ways } = require('../ways/records')

const suiteOf = (name, { about, field, unit, peer }) => ({
  usage: `${about}

  npm run bench -- ${name} --node=24
  npm run bench -- ${name} --node=24 --filter="${rows[name][0]}"
`,
  rounds: 5,
  rowsOf: ({ node }) => rows[name].map((row) => ({
    name: row,
    ways: ways[name],
    open: () => (way) => inWorker([node.path], 'records', row, way)
  })),
  tablesOf: (results) => [
    tableOf(`${unit}, in chunks of 64 KB (ratio to ${peer})`, fieldOf(results, field), { peerOf: () => peer })
  ]
})

exports.ndjson = suiteOf('ndjson', {
  about: 'Throughput of records, beside split2, in turn: five minutes.',
  field: 'mbs',
  unit: 'MB/s of CPU time',
  peer: 'split2, for await'
})

exports['json-array'] = suiteOf('json-array', {
  about: 'Items of JSON arrays, beside JSON.parse of the whole text and stream-json, in turn: twenty minutes.',
  field: 'us',
  unit: 'CPU time in us',
  peer: 'JSON.parse'
})
