'use strict'

// Every default of the load tests, in one place.

const os = require('node:os')
const path = require('node:path')

// Outside of this folder: from within it a side could load packages of ours.
const CACHE = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')

module.exports = {
  connections: 50,
  duration: 2, // s measured per block
  slice: 0.1, // s that a side is loaded before it is the other's turn
  warmup: 1.5, // s of load before that, thrown away
  rounds: 'auto', // pairs of blocks per scenario
  loneRounds: 5, // when there is nothing to compare with
  maxTime: 180, // s per scenario, when the rounds are automatic
  threshold: 1, // %: a smaller difference is of no matter
  alpha: 0.05, // chance of a false verdict, over all scenarios of a run
  fewestRounds: 2, // of a comparison
  calibrationRounds: 8, // at least, to say anything about the noise
  firstLook: 8, // pairs; fewer are not worth a judgement
  lookGrowth: 1.4, // each look has that many times the pairs of the last
  resamples: 4000, // of the bootstrap
  drift: 10, // %: how far two runs of the same code may lie apart
  settleTime: 10_000, // ms that a server may take to start or to stop
  requestTimeout: 10, // s without a response
  host: '127.0.0.1',
  cache: path.resolve(CACHE, 'fast-body-parser-perf'),
  results: path.join(__dirname, 'results'),
  cacheDays: 7,
  apps: { // what is installed next to the parser; a side may override any of it
    http: { 'body-parser': '*' },
    express4: { express: '^4' },
    express5: { express: '^5' }
  }
}
