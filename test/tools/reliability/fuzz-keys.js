'use strict'

// The fuzzer of keys must find injected faults, and nothing where there is no
// fault.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')

const COMMAND = path.join(__dirname, '../../../reliability/fuzz-keys')

/** @returns {Promise<{ status: number, out: string, err: string }>} */
function fuzz (...flags) {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...flags], (error, out, err) => resolve({ status: error === null ? 0 : error.code, out, err }))
  })
}

describe('npm run fuzz:keys', function () {
  this.timeout(60_000)

  it('finds no wrong key', async () => {
    const { status, out } = await fuzz('--texts=500', '--seed=7')
    assert.equal(status, 0, out)
    assert.match(out, /^--seed=7\n500 texts from seed 7, 0 wrong; JSON\.parse was wrong in \d+; [\d.]+ s on Node [\d.]+\n$/)
  })

  for (const fault of ['order', 'zero', 'proto']) {
    it(`finds the injected fault "${fault}", and prints the text`, async () => {
      const { status, out } = await fuzz('--texts=5000', '--seed=1', `--inject-fault=${fault}`)
      assert.equal(status, 1, out)
      assert.match(out, /^--seed=1\ntext \d+ of seed 1 is WRONG, parsed [^\n]*\ntext: {3}[^]*\nafter: {2}[^]*\nours: {3}[^\n]*\ntruth: {2}[^\n]*\n$/)
    })
  }

  it('lists its options with --help, and refuses wrong ones in one line', async () => {
    const { status, out } = await fuzz('--help')
    assert.deepEqual([status, /--texts=N .*--seed=N .*--inject-fault=NAME /s.test(out)], [0, true])
    for (const flag of ['--texts=0', '--seed=x', '--inject-fault=accepts', '--nope']) {
      const { status, err } = await fuzz(flag)
      assert.equal(status, 2)
      assert.match(err, /^error: [^\n]*\n$/)
    }
  })
})
