'use strict'

// Which tests must notice the mutants of a file: those of its own name, and those that run its code.

const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const { MOCHA, SUITE } = require('../../tools/test-suite')
const UserError = require('../../tools/user-error')

const ROOT = path.join(__dirname, '../..')
const SLOWEST = ['lib/formats/json/cooperative.js', 'lib/json-slices/parser.js'] // they start first
const IN_PROCESSES = ['test/package/loading.js'] // what child processes run is not recorded

/** @returns {string[]} all files of lib/, from the root */
function filesOfLib () {
  const names = readdirSync(path.join(ROOT, 'lib'), { recursive: true }).filter((name) => name.endsWith('.js')).sort()
  const files = names.map((name) => `lib/${name.split(path.sep).join('/')}`)
  return [...SLOWEST, ...files.filter((file) => !SLOWEST.includes(file))]
}

/**
 * Runs tests, once.
 *
 * @param {string[]} [suite] arguments of mocha, which must run the files in workers; by default all tests, which
 *   takes as long as `npm run test:unit`
 * @returns {Coverage}
 * @typedef {[start: number, end: number, count: number]} Range of a file that ran so often
 * @typedef {Map<string, { ms: number, ranges: Record<string, Range[][]> }>} Coverage file of tests -> how long it
 *   takes, and what it runs of each module of each file of lib/
 */
function recordCoverage (suite = SUITE) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'coverage'))
  const args = [MOCHA, ...suite, `--require=${path.join(__dirname, 'record-coverage.js')}`, '--reporter=min']
  const { status, stdout } = spawnSync(process.execPath, args,
    { cwd: ROOT, env: { ...process.env, RECORD_COVERAGE: folder }, encoding: 'utf8' })
  if (status !== 0) throw new UserError(`the tests fail without a mutant:\n${stdout.slice(-3000)}`)
  const records = readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))
  return new Map(records.map(({ test, ms, ranges }) => [path.relative(ROOT, test), { ms, ranges }]))
}

/** @returns {boolean} whether the code at this place runs, by the smallest range that it is in */
function runs (ranges, at) {
  let inner = null
  for (const range of ranges) {
    const [start, end] = range
    if (start <= at && at < end && (inner === null || end - start <= inner[1] - inner[0])) inner = range
  }
  return inner !== null && inner[2] > 0
}

/**
 * The tests of a file: those of its name, and for each of its blocks some that run it, the fastest ones. Those of its
 * own room come first, as they say most about it.
 *
 * @param {string} file
 * @param {Coverage} coverage
 * @param {number} count files of tests that run a block, if there are so many
 * @returns {string[]}
 */
function testsOf (file, coverage, count) {
  const own = file.replace('lib/', 'test/')
  const inLib = file.slice('lib/'.length)
  const chosen = new Set(existsSync(path.join(ROOT, own)) ? [own] : [])
  const isOfRoom = (test) => path.dirname(test) === path.dirname(own)
  const candidates = [...coverage].map(([test, { ms, ranges }]) => ({ test, ms, modules: ranges[inLib] ?? [] }))
  candidates.sort((one, other) => isOfRoom(other.test) - isOfRoom(one.test) || one.ms - other.ms)
  const blocks = new Set(candidates.flatMap(({ modules }) => modules.flat().map(([start]) => start)))
  for (const at of blocks) {
    const tests = candidates.filter(({ modules }) => modules.some((ranges) => runs(ranges, at)))
      .map(({ test }) => test)
    const enough = Math.min(count, tests.length)
    for (const test of tests) {
      if (tests.filter((test) => chosen.has(test)).length >= enough) break
      chosen.add(test)
    }
  }
  return [...new Set([...chosen, ...IN_PROCESSES])]
}

module.exports = { filesOfLib, recordCoverage, testsOf }
