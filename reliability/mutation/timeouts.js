'use strict'

// Stryker switches mocha's timeouts off. With them, a mutant that never answers
// fails its first test after seconds, not after the time of all tests.
//
// All of lib/ is loaded here, before the first test. Otherwise the code that runs
// while a file is loaded would count for the test that loads it first, and its
// mutants would run in a process that has loaded the file before.

const { readdirSync } = require('node:fs')
const path = require('node:path')

const LIB = path.join(__dirname, '../../lib')
for (const name of readdirSync(LIB, { recursive: true })) {
  if (name.endsWith('.js')) require(path.join(LIB, name))
}

const TIMEOUT = 8_000 // ms

before(function () {
  this.test.parent.eachTest((test) => {
    if (test.timeout() === 0) test.timeout(TIMEOUT)
  })
})
