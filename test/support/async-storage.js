'use strict'

// Node.js 20 calls a hook for every promise and timer of a process while one
// AsyncLocalStorage is in use, once for each that is: those of tests are disabled
// after each test, or they would slow down all that follow (a fifth of a whole run).

const { AsyncLocalStorage } = require('node:async_hooks')

const storages = []

/** In use from its first `run` in a test to the end of that test. */
function createStorage () {
  const storage = new AsyncLocalStorage()
  storages.push(storage)
  return storage
}

function disableAll () {
  for (const storage of storages) storage.disable()
}

module.exports = { createStorage, mochaHooks: { afterEach: disableAll } }
