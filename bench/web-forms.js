'use strict'

// npm run bench -- web-forms: what a form of a Request costs, by runtime, beside peers.

const path = require('node:path')
const { alternate, inProcess } = require('./measure/alternate')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')
const runtimes = require('./suite/runtimes')

const WORKER = path.join(__dirname, 'web-forms/worker.mjs')
const PEER = '@remix-run/multipart-parser'
const PARSERS = ['ours', 'ours, store', PEER, 'formData()']
const FORMS = ['20 fields', '10 MB file']

benchCommand({
  usage: `What a form of a Request costs in each runtime, beside peers, in turn: five minutes.

  npm run bench -- web-forms --node=24

CPU time of a parser, with the runtime's own threads; each figure is that of a fresh process.
`,
  rounds: 7,
  stepsOf: ({ node, rounds }) => Object.keys(runtimes).flatMap((name) => FORMS.map((form) => ({
    name: `${name}, ${form}`,
    async take () {
      const command = [...await runtimes[name](node), WORKER]
      return alternate(PARSERS, rounds, (parser) => inProcess([...command, parser, form]))
    }
  }))),
  tablesOf: (results) => [
    medianTable(`lowest us of CPU time for a form (ratio to ${PEER})`, Object.entries(results), () => PEER,
      medianTable.lowest)
  ]
})
