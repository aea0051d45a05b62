'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { before, describe, it } = require('mocha')
const { temporaryFolder } = require('../../../tools/atomic-write')
const { MOCHA } = require('../../../tools/test-suite')

const ROOT = path.join(__dirname, '../../../')
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** A file of tests that leaves something in a module, in a table of the process, and in a module of test/support. */
const TEXT = `
  const ROOT = ${JSON.stringify(ROOT)}
  const assert = require('node:assert')
  const left = ['index.js', 'lib/core/shared-tables.js', 'test/support/types.js'].map((name) => require(ROOT + name))
  describe(require('node:path').basename(__filename, '.js'), () => it('finds nothing', () => {
    for (const object of left) {
      assert.equal(object.left, undefined)
      object.left = true
    }
  }))`

describe('the order of the files of tests', () => {
  let folder

  before(() => {
    folder = temporaryFolder(path.join(os.tmpdir(), 'order'))
    for (const name of NAMES) fs.writeFileSync(path.join(folder, `${name}.js`), TEXT)
  })

  /** The files in their order, how many pass, and the order that mocha prints. */
  function run (order, ...args) {
    const env = { ...process.env, TEST_ORDER: order }
    const { stdout, stderr } = spawnSync(process.execPath, [MOCHA, folder, '--reporter=json', ...args],
      { cwd: ROOT, env, encoding: 'utf8' })
    const { passes, tests } = JSON.parse(stdout)
    const names = tests.map(({ file }) => path.basename(file, '.js'))
    return { names, passes: passes.length, printed: /TEST_ORDER=(\d+)/.exec(stderr)[1] }
  }

  it('is random, is printed, and is that of another run if it is given', () => {
    const runs = [run(''), run(''), run('')]
    for (const { names } of runs) assert.deepEqual([...names].sort(), NAMES)
    assert.ok(new Set(runs.map(({ names }) => names.join())).size > 1)
    assert.deepEqual(run(runs[0].printed), runs[0])
  })

  it('makes no difference, as workers load the modules anew for each file', () => {
    const { names, passes, printed } = run('7', '--parallel', '--jobs=2')
    assert.deepEqual([[...names].sort(), passes, printed], [NAMES, NAMES.length, '7'])
  })
})
