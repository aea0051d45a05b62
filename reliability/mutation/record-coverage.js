'use strict'

// Loaded into each worker of mocha by tests-of.js: writes which blocks of lib/ each file of tests runs, and
// how long it takes.

const { writeFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const path = require('node:path')
const { fileURLToPath } = require('node:url')

const { RECORD_COVERAGE: folder } = process.env
const LIB = path.join(__dirname, '../../lib') + path.sep
const session = new Session()

session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * What ran since the last time. V8 gives the range of each function with its count, and the ranges of those blocks in
 * it that ran more or less often.
 *
 * @returns {Record<string, [start: number, end: number, count: number][][]>} file, from lib/ -> ranges of each of its
 *   modules, as tests load some files several times
 */
function takeCoverage () {
  let scripts
  session.post('Profiler.takePreciseCoverage', (error, { result }) => { scripts = error ? [] : result })
  const own = scripts.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(LIB))
  const byFile = {}
  for (const { url, functions } of own) {
    // The first one is the file itself, which runs when it is loaded.
    const called = functions.slice(1).filter(({ ranges: [{ count }] }) => count > 0)
    const ranges = called.flatMap(({ ranges }) => ranges.map(({ startOffset, endOffset, count }) => {
      return [startOffset, endOffset, count]
    }))
    const file = fileURLToPath(url).slice(LIB.length).split(path.sep).join('/')
    byFile[file] = [...byFile[file] ?? [], ranges]
  }
  return byFile
}

let begin
let recorded = 0

exports.mochaHooks = {
  beforeAll () {
    begin = performance.now()
  },
  afterAll () {
    const [{ file }] = this.test.parent.suites
    const record = { test: file, ms: performance.now() - begin, ranges: takeCoverage() }
    writeFileSync(path.join(folder, `${process.pid}-${recorded++}.json`), JSON.stringify(record))
  }
}
