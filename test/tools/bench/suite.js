'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const qs = require('qs')
const { after, before, describe, it } = require('mocha')
const { form, json } = require('../../../bench/rows/bodies')

const BENCH = path.join(__dirname, '../../../bench')
const run = (file, ...args) => spawnSync(process.execPath, [path.join(BENCH, file), ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 })

describe('the bodies of the rows of bench/', () => {
  for (const bytes of [274, 6558, 208500]) {
    for (const ascii of [true, false]) {
      it(`include JSON of exactly ${bytes} bytes${ascii ? '' : ', not ASCII'}`, () => {
        const content = json(bytes, ascii)
        assert.equal(content.bytes.length, bytes)
        assert.deepEqual(JSON.parse(content.bytes), content.value)
        assert.equal(content.bytes.every((byte) => byte < 128), ascii)
      })
    }
  }

  for (const nested of [false, true]) {
    it(`include ${nested ? 'nested' : 'flat'} forms that qs reads as the value of the row`, () => {
      const content = form(50, nested)
      assert.deepEqual({ ...qs.parse(content.bytes.toString()) }, content.value)
    })
  }
})

describe('npm run bench', function () {
  this.timeout(120_000) // ms; one row, in short rounds

  let folder
  before(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-')) })
  after(() => fs.rmSync(folder, { recursive: true }))

  it('measures what the filter selects, and writes the samples and a summary', () => {
    const file = path.join(folder, 'x.json')
    const { status, stdout, stderr } = run('index.js', '--quick', '--filter=raw 274 B', `--json=${file}`, `--summary=${file.replace('json', 'md')}`)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /raw 274 B[^]*no raw/)
    const { node, commit, results } = JSON.parse(fs.readFileSync(file))
    assert.equal(node, process.version)
    assert.match(commit, /^[0-9a-f]{7}|unknown/)
    assert.deepEqual(Object.keys(results), ['raw 274 B'])
    const { ours, 'co-body': unable } = results['raw 274 B']
    assert.ok(ours.times.length === 8 && ours.times.every((time) => time > 0) && ours.heap > 1000)
    assert.deepEqual(unable, { missing: ['raw'] })
    assert.match(fs.readFileSync(file.replace('json', 'md'), 'utf8'), /\n## Requests\n[^]*\n\| raw 274 B \| [\d,]+ \|/)
  })

  it('says that nothing has a name', () => {
    const { status, stderr } = run('index.js', '--filter=nothing')
    assert.equal(status, 1)
    assert.match(stderr, /nothing has "nothing" in its name/)
  })
})

describe('npm run bench:multipart', function () {
  this.timeout(120_000) // ms

  it('prints the time of each parser, and its ratio to that of busboy', () => {
    const { status, stdout, stderr } = run('multipart.js', '--rounds=1', '--filter=parsers, 20 fields')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^Node\.js v\S+, .*, commit .*\nus of CPU time per form/)
    assert.match(stdout, /\n {2}parsers, 20 fields +\d+ \(0\.\d\d\) +\d+ \(1\.00\)( +\d+ \(\d+\.\d\d\)){7}\n/)
  })

  it('prints the time of each stack, and ratios to those of multer', () => {
    const { status, stdout, stderr } = run('multipart.js', '--rounds=1', '--filter=express, 20 fields')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /\n {2}express, 20 fields( +\d+)+( +\d\.\d\d){2,}\n/)
  })
})

describe('npm run bench:ndjson', function () {
  this.timeout(120_000) // ms

  it('prints the throughput of each way to read records', () => {
    const { status, stdout, stderr } = run('ndjson.js', '--rounds=1')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /\n {2}split2, for await +\d+ +1\.00\n[^]*\n {2}ours, batches of 500 +\d+ +\d\.\d\d\n/)
  })
})
