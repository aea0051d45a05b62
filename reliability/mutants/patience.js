'use strict'

// Stryker switches mocha's timeouts off. With them, a mutant that never answers
// fails its first test after seconds, instead of being waited for as long as the
// whole suite may take.

const PATIENCE = 5000 // ms

before(function () {
  this.test.parent.eachTest((test) => {
    if (test.timeout() === 0) test.timeout(PATIENCE)
  })
})
