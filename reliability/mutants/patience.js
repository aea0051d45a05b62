'use strict'

// Stryker switches mocha's timeouts off. With them, a mutant that never answers
// fails its first test after seconds, instead of being waited for as long as the
// whole suite may take.
//
// And all of lib/ is loaded here, before the first test. What runs while a file
// is loaded would else belong to the test that happens to need it first, and be
// tried in a process that has loaded the file long before.

const { readdirSync } = require('node:fs')
const path = require('node:path')

const LIB = path.join(__dirname, '../../lib')
for (const name of readdirSync(LIB, { recursive: true })) {
  if (name.endsWith('.js')) require(path.join(LIB, name))
}

const PATIENCE = 20_000 // ms

before(function () {
  this.test.parent.eachTest((test) => {
    if (test.timeout() === 0) test.timeout(PATIENCE)
  })
})
