'use strict'

// Runs tests of the parsers once more, each set in a process of its own: in a
// context of node:vm, as under Jest, and where the app has frozen what objects
// inherit from.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { promisify } = require('node:util')
const { MOCHA } = require('../../../tools/test-suite')

const ROOT = path.join(__dirname, '../../..')
const FILES = [
  'json-keys/escaped-keys', 'options/buffered', 'parsers/json', 'parsers/media-type', 'parsers/text', 'parsers/verify',
  'records/ndjson/progress', 'uploads/form/parts', 'uploads/limits/options'
]

/** @param {string} hook file of test/support */
async function runTests (hook, files) {
  const args = [MOCHA, '--require', `test/support/${hook}.js`, ...files.map((name) => `test/${name}.js`)]
  const env = { ...process.env, ARRIVALS: 'together,halves' }
  for (const name of files) assert.ok(fs.existsSync(path.join(ROOT, `test/${name}.js`)), name)
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env }).catch((error) => error)
  assert.match(stdout, /\d passing/)
  assert.doesNotMatch(stdout, /failing/, stdout.slice(stdout.indexOf('failing')))
}

describe('the parsers', function () {
  this.timeout(300_000) // ms; they take 5 s of CPU time each

  it('pass their tests in a context of node:vm, as under Jest', () => runTests('in-context',
    [...FILES, 'formats/urlencoded/flat']))

  it('pass their tests where prototypes are frozen', () => runTests('frozen',
    [...FILES, 'parsers/custom', 'parsers/raw']))
})
