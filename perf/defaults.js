'use strict'

// Every default of the load tests.

const os = require('node:os')
const path = require('node:path')

// Outside of this repository: an app in it could load packages of ours.
const CACHE = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')

module.exports = {
  test: 'express5-json-1kb',
  connections: [1, 8, 50], // of closed loops
  rates: ['30%', '70%'], // of open loops: of a core
  openConnections: 50, // of an open loop
  warmup: 12, // s of load that a server may take to become steady
  lead: 0.3, // s of a turn before it is measured
  duration: 1, // s of a turn that are measured: a block
  window: 0.05, // s of a turn over which CPU time per request is taken
  rounds: 3, // of each load in a run: blocks of each target
  runs: 4, // with new processes and a new warm-up
  fewestRuns: 2, // that must be steady
  spare: 2, // further rounds of a load, and further runs, in place of those that do not count
  calibrationRuns: 8, // fewer say little about how far runs lie apart
  threshold: 1, // %: a smaller difference does not matter
  alpha: 0.05, // probability of a false verdict, over all scenarios of a session
  drift: 10, // %: how far two sessions of the same code may lie apart
  settleTime: 10_000, // ms that a server may take to start or to stop
  requestTimeout: 10, // s without a response
  host: '127.0.0.1',
  cache: path.resolve(CACHE, 'fast-body-parser-perf'),
  output: path.join(__dirname, 'output'),
  cacheDays: 7,
  apps: { // dependencies of the apps, beside the parser; a target may override any of them
    http: { 'body-parser': '*' },
    express4: { express: '^4' },
    express5: { express: '^5' }
  }
}
