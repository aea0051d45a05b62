'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('mocha')
const { number, readOptions, someOf, wholeNumber } = require('../../../tools/command-line')

const ROOT = path.join(__dirname, '../../..')
const OPTIONS = {
  rate: { short: 'r', value: 'N', read: number(1, 10), default: 5, help: 'requests per second' },
  'min-rounds': { value: 'N', read: wholeNumber(1, 100), help: 'how many' },
  test: { short: 't', value: 'NAMES', multiple: true, read: someOf(['one', 'two', 'three']), help: 'which' },
  write: { default: true, help: 'write files' }
}

describe('tools/command-line', () => {
  it('converts values, and fills in the defaults', () => {
    const { values } = readOptions(['-r', '2.5', '--test=two,one', '-t', 'two', '--no-write'], OPTIONS)
    assert.deepEqual(values, { rate: 2.5, minRounds: null, test: ['two', 'one'], write: false, help: false })
    assert.equal(readOptions([], OPTIONS).values.rate, 5)
  })

  for (const [command, option, message, exitStatus] of [
    ['bench/index.js', 'xyzzy', /^error: must be one of [\w, -]+, not "xyzzy"\n$/, 2],
    ['bench/index.js', '--filter=xyzzy', /^error: nothing has "xyzzy" in its name\n$/, 2],
    ['reliability/attacks/index.js', '--seconds=x', /^error: --seconds must be a number from 0\.1 to 60, not/, 2],
    ['reliability/fuzz/index.js', '--against=muller', /^error: --against must be one of [^"]+ not "muller"\n$/, 2],
    ['tools/release.js', '--bogus=1', /^error: Unknown option '--bogus'\. .*\n$/, 2],
    ['perf/index.js', '--nonsense', /^error: Unknown option '--nonsense'; --help lists the options\n$/, 2],
    ['perf/index.js', 'xyzzy', /^error: Unexpected argument 'xyzzy'; --help lists the options\n$/, 2],
    ['test/integration/index.js', 'weeb', /^error: unknown weeb; rooms are bundlers, [\w, -]+, and --help/, 2],
    ['test/integration/index.js', '--bogus=1', /^error: unknown --bogus=1; rooms are bundlers, [\w, -]+, and/, 2]
  ]) {
    it(`lets ${command} refuse ${option} in one line`, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(ROOT, command), option],
        { encoding: 'utf8' })
      assert.equal(stdout, '')
      assert.match(stderr, message)
      assert.equal(status, exitStatus)
    })
  }

  for (const [script, option] of [['test:load', 'overrides'], ['fuzz', 'keep-going'], ['fuzz', 'against']]) {
    it(`lets ${script} refuse an option that npm has kept`, () => {
      const { status, stderr } = spawnSync('npm', ['run', '--silent', script, `--${option}={}`],
        { cwd: ROOT, encoding: 'utf8' })
      const again = `put -- before it, as in npm run ${script} -- --${option}`
      assert.ok(stderr.includes(`error: npm has kept --${option} for itself: ${again}\n`), stderr)
      assert.equal(status, 2)
    })
  }
})
