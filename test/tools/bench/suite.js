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
const run = (file, ...args) => spawnSync(process.execPath, [path.join(BENCH, file), ...args],
  { encoding: 'utf8', maxBuffer: 2 ** 26 })

describe('the bodies of the rows of bench/', () => {
  for (const bytes of [100, 274, 6558, 208500]) {
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
    const { status, stdout, stderr } = run('index.js', '--quick', '--filter=raw 274 B', `--json=${file}`,
      `--summary=${file.replace('json', 'md')}`)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /raw 274 B[^]*no raw/)
    const { rows } = JSON.parse(fs.readFileSync(file))
    assert.deepEqual(rows.map(({ name }) => name), ['raw 274 B'])
    const { ours, 'co-body': unable } = rows[0].results
    assert.ok(ours.times.length === 8 && ours.times.every((time) => time > 0) && ours.heap > 1000)
    assert.deepEqual(unable, { missing: ['raw'] })
    assert.match(fs.readFileSync(file.replace('json', 'md'), 'utf8'), /\n## Requests\n[^]*\n\| raw 274 B \| [\d,]+ \|/)
  })
})
