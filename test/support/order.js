'use strict'

// Runs the files of tests in a random order. TEST_ORDER gives the order of another
// run again, which has printed it. Each file has modules of its own: no test can
// rely on what a test of another file has left in the package, or in test/.
//
// Workers (`--parallel`) load a file when the one before it has ended. Without
// them mocha loads all files first, and so the files share their modules.

const { createRandom, randomInt, shuffle } = require('../../tools/random')
const { forgetModules } = require('./own-modules')

const SEEDS = 1e9
const hooks = new Set(Object.keys(require.cache)) // those of mocha, which are loaded once for all files

/** `this` is mocha's Runner, in the process of the command, before it starts to run the files. */
function chooseOrder () {
  const seed = Number(process.env.TEST_ORDER) || 1 + randomInt(SEEDS, Math.random)
  const random = createRandom(seed)
  const { run, suite } = this
  if (this.isParallelMode()) {
    this.run = (done, { files, ...options }) => run.call(this, done, { ...options, files: shuffle([...files], random) })
  } else {
    const files = shuffle([...new Set(suite.suites.map(({ file }) => file))], random)
    suite.suites.sort((one, other) => files.indexOf(one.file) - files.indexOf(other.file))
    if (files.length < 2) return
  }
  console.error(`The order of the files is TEST_ORDER=${seed}`)
}

module.exports = { mochaGlobalSetup: chooseOrder, mochaHooks: { afterAll: () => forgetModules(hooks) } }
