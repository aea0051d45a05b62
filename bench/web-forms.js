'use strict'

// npm run bench -- web-forms: what a form of a Request costs, by runtime, beside peers.

const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')
const { alternate } = require('./measure/alternate')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')
const runtimes = require('./suite/runtimes')

const WORKER = path.join(__dirname, 'web-forms/worker.mjs')
const PEER = '@remix-run/multipart-parser'
const PARSERS = ['ours', 'ours, store', PEER, 'formData()']
const FORMS = ['20 fields', '10 MB file']

const run = promisify(execFile)

benchCommand({
  usage: `What a form of a Request costs in each runtime, beside peers, in turn: five minutes.

  npm run bench -- web-forms --node=24

CPU time of a parser, with the runtime's own threads; each figure is that of a fresh process.
`,
  rounds: 7,
  stepsOf: ({ node, rounds }) => Object.keys(runtimes).flatMap((name) => FORMS.map((form) => ({
    name: `${name}, ${form}`,
    async take () {
      const [program, ...args] = await runtimes[name](node)
      return alternate(PARSERS, rounds, async (parser) => {
        return Number((await run(program, [...args, WORKER, parser, form])).stdout)
      })
    }
  }))),
  tablesOf: (results) => [
    medianTable(`lowest us of CPU time for a form (ratio to ${PEER})`, Object.entries(results), () => PEER,
      medianTable.lowest)
  ]
})
