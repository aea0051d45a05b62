'use strict'

const { parseArgs } = require('node:util')

const HELP = `What a parser costs in one process, beside its peers.

Usage: npm run bench -- [options]

  --filter=TEXT   only what has TEXT in its name: json, form, cold, growth, ...
  --express       requests with Express's prototype, as an Express app makes them
  --node=VERSION  run under another Node, such as 24 (installed from npm)
  --json=FILE     write every sample to FILE
  --quick         fewer and shorter rounds: a first look
  --help          this text
`

/**
 * @param {string[]} argv the command line without node and script
 * @returns {{ filter: string, express: boolean, node?: string, json?: string, quick: boolean, help: boolean }}
 * @throws {Error} whose message is for the user
 */
function readArguments (argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      filter: { type: 'string', default: '' },
      express: { type: 'boolean', default: false },
      node: { type: 'string' },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false }
    }
  })
  if (values.node !== undefined && !/^\d+(\.\d+){0,2}$/.test(values.node)) {
    throw new Error(`--node=${values.node} is no version of Node, such as 24 or 22.15.0`)
  }
  if (values.json === '') throw new Error('--json needs the name of a file')
  return values
}

module.exports = { HELP, readArguments }
