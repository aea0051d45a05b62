'use strict'

// Writes the coverage of a worker after each file: `mocha --parallel` kills a
// worker that takes longer than a second to do so at its exit.

const v8 = require('node:v8')

exports.mochaHooks = {
  afterAll () {
    if (process.env.NODE_V8_COVERAGE) v8.takeCoverage()
  }
}
