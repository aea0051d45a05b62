'use strict'

const withProcesses = require('./processes')

const CALLS = 20
const PROMPT = 100 // ms

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'slices-aborted',
  what: `${CALLS} calls of json-slices with 6 MB each, whose signal aborts after 10 ms, behind 4 others`,
  columns: ['ms to the first rejection', 'ms to the last'],
  rows: ['fast-body-parser'],
  measure: (target, settings) => withProcesses(async (processes) => {
    const worker = await processes.run('slices-worker.js', { package: settings.parser, calls: CALLS })
    const { first, last } = await worker.ask('run')
    return [first, last]
  }),
  faultsOf: ({ 'fast-body-parser': [, last] }) => last > PROMPT ? ['a call outlives its signal'] : []
}
