'use strict'

// Which tests must notice the mutants of a file: those of its own name, and those that call its functions.

const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const { MOCHA, SUITE } = require('../../tools/test-suite')
const UserError = require('../../tools/user-error')

const ROOT = path.join(__dirname, '../..')
const SLOWEST = ['lib/json/cooperative.js', 'lib/slices/parser.js'] // they start first
const IN_PROCESSES = ['test/package/loading.js'] // what child processes call is not recorded

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
 *   takes as long as `npm run test:mocha`
 * @returns {Map<string, Set<string>>} file of tests -> functions of lib/ that it calls
 */
function recordCalls (suite = SUITE) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'calls'))
  const args = [MOCHA, ...suite, `--require=${path.join(__dirname, 'record-calls.js')}`, '--reporter=min']
  const { status, stdout } = spawnSync(process.execPath, args,
    { cwd: ROOT, env: { ...process.env, RECORD_CALLS: folder }, encoding: 'utf8' })
  if (status !== 0) throw new UserError(`the tests fail without a mutant:\n${stdout.slice(-3000)}`)
  const records = readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))
  return new Map(records.map(({ test, calls }) => [path.relative(ROOT, test), new Set(calls)]))
}

/**
 * The tests of a file: those of its name, and for each of its functions some that call it. Those of its own room come
 * first, and then those that call least of the rest of lib/, as they say most about it.
 *
 * @param {string} file
 * @param {Map<string, Set<string>>} callsOf
 * @param {number} count files of tests that call a function, if there are so many
 * @returns {string[]}
 */
function testsOf (file, callsOf, count) {
  const own = file.replace('lib/', 'test/')
  const chosen = new Set(existsSync(path.join(ROOT, own)) ? [own] : [])
  const prefix = `${file.slice('lib/'.length)}:`
  const isOfRoom = (test) => path.dirname(test) === path.dirname(own)
  const callers = [...callsOf].sort(([test, calls], [other, others]) => {
    return isOfRoom(other) - isOfRoom(test) || calls.size - others.size
  })
  const called = new Set(callers.flatMap(([, calls]) => [...calls].filter((call) => call.startsWith(prefix))))
  for (const call of called) {
    const tests = callers.filter(([, calls]) => calls.has(call)).map(([test]) => test)
    const enough = Math.min(count, tests.length)
    for (const test of tests) {
      if (tests.filter((test) => chosen.has(test)).length >= enough) break
      chosen.add(test)
    }
  }
  return [...new Set([...chosen, ...IN_PROCESSES])]
}

module.exports = { filesOfLib, recordCalls, testsOf }
