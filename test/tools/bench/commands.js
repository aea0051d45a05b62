'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const BENCH = path.join(__dirname, '../../../bench')

/** @returns {{ status: number, stdout: string, stderr: string }} */
function run (file, ...args) {
  return spawnSync(process.execPath, [path.join(BENCH, file), ...args], { encoding: 'utf8' })
}

describe('npm run bench', () => {
  for (const [args, message] of [
    [['--fast'], /^error: Unknown option '--fast'/],
    [['json'], /^error: Unexpected argument 'json'/],
    [['--node=new'], /^error: --node must be a version of Node\.js such as 24/],
    [['--node=24;ls'], /^error: --node must be a version/],
    [['--json='], /^error: --json must be the name of a file that ends in \.json/],
    [['--filter'], /^error: Option '--filter <value>' argument missing/],
    [['--quick=yes'], /^error: Option '--quick' does not take an argument/],
    [['--filter=xyzzy'], /^error: nothing has "xyzzy" in its name/]
  ]) {
    it(`refuses ${args} in one line`, () => {
      const { status, stdout, stderr } = run('index.js', ...args)
      assert.equal(status, 1)
      assert.match(stderr, message)
      assert.match(stderr, /^[^\n]*\n$/)
      assert.equal(stdout, '')
    })
  }

  it('lists every option with --help', () => {
    const { status, stdout } = run('index.js', '--help')
    assert.equal(status, 0)
    for (const option of ['--filter', '--express', '--node', '--json', '--quick', '--help']) assert.ok(stdout.includes(option), option)
  })
})

describe('npm run bench:report', () => {
  it('refuses a file that is no result, in one line', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-report-'))
    try {
      const file = path.join(folder, 'x.json')
      fs.writeFileSync(file, '{}')
      for (const [args, message] of [[[], /name of a file is needed/], [[file], /is no file of the format/], [[`${file}.none`], /cannot read/]]) {
        const { status, stderr } = run('report.js', ...args)
        assert.equal(status, 1)
        assert.match(stderr, message)
        assert.match(stderr, /^error: [^\n]*\n$/)
      }
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})
