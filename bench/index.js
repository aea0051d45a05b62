'use strict'

// npm run bench: what a parser costs in one process, beside its peers.

const path = require('node:path')
const { fileName, runCommand } = require('../tools/command-line')
const { installNode } = require('../tools/npm')
const UserError = require('../tools/user-error')
const installPackages = require('./packages')

runCommand({
  usage: 'What a parser costs in one process, beside its peers.\n\n  npm run bench -- [options]\n',
  options: {
    filter: { value: 'TEXT', default: '', help: 'only what has TEXT in its name: json, form, cold, scaling, ...' },
    express: { help: "requests with Express's prototype, as an Express app makes them" },
    node: { value: 'VERSION', read: nodeVersion, help: 'run under another Node, such as 24 (installed from npm)' },
    json: { value: 'FILE', read: fileName('.json'), help: 'write every sample to FILE' },
    quick: { help: 'fewer and shorter rounds: a first look' }
  },
  async run ({ values }) {
    installPackages()
    const node = await nodeFor(values.node)
    await require('./suite/run')({ ...values, node })
  }
})

function nodeVersion (text) {
  if (!/^\d+(\.\d+){0,2}$/.test(text)) throw new UserError(`must be a version of Node.js such as 24 or 22.15.0, not ${JSON.stringify(text)}`)
  return text
}

async function nodeFor (version) {
  if (version === null) return { path: process.execPath, version: process.version }
  return installNode(version, path.join(__dirname, '.nodes', version))
}
