'use strict'

// npm run bench: what a parser costs in one process, beside its peers.

const { fileName, runCommand } = require('../tools/command-line')
const { NODE, nodeFor } = require('./node-option')
const installPackages = require('./packages')

runCommand({
  usage: 'What a parser costs in one process, beside its peers.\n\n  npm run bench -- [options]\n',
  options: {
    filter: { value: 'TEXT', default: '', help: 'only what has TEXT in its name: json, form, cold, scaling, ...' },
    express: { help: "requests with Express's prototype, as an Express app makes them" },
    node: NODE,
    json: { value: 'FILE', read: fileName('.json'), help: 'write every sample to FILE' },
    quick: { help: 'fewer and shorter rounds: a first look' }
  },
  async run ({ values }) {
    installPackages()
    const node = await nodeFor(values.node)
    await require('./suite/run')({ ...values, node })
  }
})
