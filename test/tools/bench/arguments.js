'use strict'

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const path = require('node:path')
const { readArguments } = require('../../../bench/arguments')

const SCRIPT = path.join(__dirname, '..', '..', '..', 'bench', 'index.js')

describe('bench: the command line', () => {
  it('has its defaults', () => {
    assert.deepStrictEqual({ ...readArguments([]) }, { filter: '', express: false, quick: false, help: false })
  })

  it('takes every flag', () => {
    const argv = ['--filter=json', '--express', '--node=24', '--json=out.json', '--quick']
    assert.deepStrictEqual({ ...readArguments(argv) }, {
      filter: 'json', express: true, node: '24', json: 'out.json', quick: true, help: false
    })
  })

  for (const argv of [['--fast'], ['json'], ['--node=new'], ['--node=24;ls'], ['--json='], ['--filter'], ['--quick=yes']]) {
    it(`refuses ${argv[0]}`, () => {
      assert.throws(() => readArguments(argv), Error)
      const { status, stderr, stdout } = spawnSync(process.execPath, [SCRIPT, ...argv], { encoding: 'utf8' })
      assert.strictEqual(status, 1)
      assert.match(stderr, /^bench: \S/)
      assert.strictEqual(stdout, '')
    })
  }

  it('says which filter found nothing', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--filter=xyzzy'], { encoding: 'utf8' })
    assert.strictEqual(status, 1)
    assert.match(stderr, /xyzzy/)
  })

  it('tells every flag when asked for help', () => {
    const help = execFileSync(process.execPath, [SCRIPT, '--help'], { encoding: 'utf8' })
    for (const flag of ['--filter', '--express', '--node', '--json', '--quick', '--help']) assert.ok(help.includes(flag))
  })
})
