'use strict'

// Writes what a file of tests has covered after each of them: `mocha --parallel`
// kills a worker that takes longer than a second to do so at its exit. Node.js
// writes all scripts and their source maps, of which c8 drops nine tenths; so a
// session of the inspector takes the coverage, and this package's alone is kept.

const fs = require('node:fs')
const inspector = require('node:inspector')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const ROOT = pathToFileURL(path.join(__dirname, '../../')).href
const OWN = [`${ROOT}index.js`, `${ROOT}lib/`] // what .c8rc.json includes
const folder = process.env.NODE_V8_COVERAGE

/** Returns what writes what has been covered since the last call, in the format of Node.js. */
function startCoverage () {
  const session = new inspector.Session()
  session.connect()
  const post = (method, params) => {
    let outcome
    session.post(method, params, (error, result) => { outcome = { error, result } })
    if (outcome.error) throw new Error(`${method}: ${outcome.error.message}`)
    return outcome.result
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  let files = 0
  return () => {
    const { result } = post('Profiler.takePreciseCoverage')
    const own = result.filter(({ url }) => OWN.some((prefix) => url.startsWith(prefix)))
    const name = `coverage-${process.pid}-${Date.now()}-${files++}.json`
    fs.writeFileSync(path.join(folder, name), JSON.stringify({ result: own }))
  }
}

/** Programs that tests start cover nothing that tests do not, and writing it takes each a tenth of a second. */
function leaveOutPrograms () {
  delete process.env.NODE_V8_COVERAGE
}

if (folder) exports.mochaHooks = { beforeAll: leaveOutPrograms, afterAll: startCoverage() }
