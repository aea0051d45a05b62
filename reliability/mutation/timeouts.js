'use strict'

// Loaded before the tests of a file.
//
// Stryker switches mocha's timeouts off. Here a test gets one by the time that it takes without a mutant, so that a
// mutant that never answers fails its first test, not after the time of all tests.
//
// All of lib/ is loaded before the first test. Otherwise the code that runs while a file is loaded would count for the
// test that loads it first, and its mutants would run in a process that has loaded the file before.

const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')

const LIB = path.join(__dirname, '../../lib')
for (const name of readdirSync(LIB, { recursive: true })) {
  if (name.endsWith('.js')) require(path.join(LIB, name))
}

const DURATIONS = path.join(__dirname, 'durations.json') // in Stryker's copy of the repository
const LEAST = 4000 // ms
const FACTOR = 4
const WITHOUT_MUTANT = 60_000 // ms
const OF_SOURCES = /in a REPL/ // shows the source of a function, which Stryker changes

const withoutOwn = new WeakSet() // tests that have no timeout of their own
const durations = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {}
let isFirst = !existsSync(DURATIONS)

function timeoutOf (test) {
  return isFirst ? WITHOUT_MUTANT : LEAST + FACTOR * (durations[test.fullTitle()] ?? 0)
}

before(function () {
  this.test.parent.eachTest((test) => {
    if (OF_SOURCES.test(test.fullTitle())) test.pending = true
    if (test.timeout() === 0) withoutOwn.add(test)
    if (withoutOwn.has(test)) test.timeout(timeoutOf(test))
  })
})

after(function () {
  if (!isFirst) return
  isFirst = false
  this.test.parent.eachTest((test) => { durations[test.fullTitle()] = test.duration ?? 0 })
  writeFileSync(DURATIONS, JSON.stringify(durations))
})
