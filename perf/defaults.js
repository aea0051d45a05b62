'use strict'

// Every default of the load tests.

const os = require('node:os')
const path = require('node:path')

// Outside of this repository: an app in it could load packages of ours.
const CACHE = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')

module.exports = {
  connections: 50,
  duration: 2, // s measured per block
  slice: 0.1, // s of load on one target before the other's turn
  warmup: 1.5, // s of load before a block, not measured
  rounds: 'auto', // pairs of blocks per scenario
  loneRounds: 5, // with one target
  maxTime: 180, // s per scenario with automatic rounds
  threshold: 1, // %: a smaller difference does not matter
  alpha: 0.05, // probability of a false verdict, over all scenarios of a run
  fewestRounds: 2, // of a comparison
  calibrationRounds: 8, // fewer say nothing about the noise
  firstLook: 8, // pairs before the first judgement
  lookGrowth: 1.4, // each look has that many times the pairs of the previous one
  resamples: 4000, // of the bootstrap
  drift: 10, // %: how far two runs of the same code may lie apart
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
