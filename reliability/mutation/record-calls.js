'use strict'

// Loaded into each worker of mocha by tests-of.js: writes which functions of lib/ each file of tests calls.

const { writeFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const path = require('node:path')
const { fileURLToPath } = require('node:url')

const { RECORD_CALLS: folder } = process.env
const LIB = path.join(__dirname, '../../lib') + path.sep
const session = new Session()

session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** @returns {string[]} functions that were called since the last time, such as `read.js:1200` */
function takeCalls () {
  let scripts
  session.post('Profiler.takePreciseCoverage', (error, { result }) => { scripts = error ? [] : result })
  const own = scripts.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(LIB))
  return own.flatMap(({ url, functions }) => {
    const file = fileURLToPath(url).slice(LIB.length).split(path.sep).join('/')
    // The first one is the file itself, which runs when it is loaded.
    const called = functions.slice(1).filter(({ ranges: [{ count }] }) => count > 0)
    return called.map(({ ranges: [{ startOffset }] }) => `${file}:${startOffset}`)
  })
}

let recorded = 0

exports.mochaHooks = {
  afterAll () {
    const [{ file }] = this.test.parent.suites
    writeFileSync(path.join(folder, `${process.pid}-${recorded++}.json`),
      JSON.stringify({ test: file, calls: takeCalls() }))
  }
}
