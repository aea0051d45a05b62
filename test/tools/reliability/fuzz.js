'use strict'

// The fuzzer must find injected faults, and nothing where there is no fault.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { faults } = require('../../../reliability/fuzz/side')

const ROOT = path.join(__dirname, '../../..')
const LIMIT = 120_000 // ms, on a busy machine

/** @returns {Promise<{ status: number, out: string, err: string }>} */
function fuzz (flags) {
  return new Promise((resolve) => {
    const args = [path.join(ROOT, 'reliability/fuzz/index.js'), ...flags]
    execFile(process.execPath, args, { cwd: ROOT, timeout: LIMIT }, (error, out, err) => {
      resolve({ status: error === null ? 0 : error.code, out, err })
    })
  })
}

describe('npm run fuzz', function () {
  this.timeout(LIMIT)

  it('finds no difference from body-parser', async () => {
    const { status, out, err } = await fuzz(['--cases=300', '--seed=1'])
    assert.equal(status, 0, out + err)
    assert.match(out, /^300 cases from seed 1 .*: no difference/)
    assert.match(out, /listed differences met:\n +\d+ /)
  })

  describe('with a fault in the parser', () => {
    const runs = {}

    before(() => {
      for (const fault of faults) runs[fault] = fuzz(['--cases=600', '--seed=1', `--inject-fault=${fault}`])
    })

    for (const fault of faults) {
      it(`finds the injected fault "${fault}"`, async () => {
        const { status, out, err } = await runs[fault]
        assert.equal(status, 1, out + err)
        assert.match(out, /^DIFFERENCE/)
        assert.match(out, /\nrequest:\n/)
        assert.match(out, /\nours {4}.*\ntheirs {2}/)
      })
    }

    it('prints the command that repeats a difference', async () => {
      const fault = 'listener'
      const [, seed, place] = /^again: npm run fuzz -- (--seed=\d+) (--path=[\d:]+)$/m.exec((await runs[fault]).out)
      const [again, right] = await Promise.all([
        fuzz([seed, place, `--inject-fault=${fault}`]),
        fuzz([seed, place])
      ])
      assert.equal(again.status, 1, again.out + again.err)
      assert.equal(right.status, 0, right.out + right.err)
    })
  })
})
