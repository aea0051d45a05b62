'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')

const BENCH = path.join(__dirname, '../../../bench')
const RATIO = String.raw` +\d+ \(\d+\.\d\d\)`

// Whole commands, each as short as it can be.
describe('bench/', function () {
  this.timeout(480_000) // ms

  let folder
  before(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-')) })
  after(() => fs.rmSync(folder, { recursive: true }))

  function run (...args) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, ...args, '--rounds=1'], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.ok(stdout.split('\n').every(({ length }) => length <= 110), 'fits into a terminal')
    assert.match(stdout, /^Node\.js v\S+, .*, commit .*\n/)
    return stdout
  }

  it('measures what the filter selects, and writes the samples and a summary', () => {
    const [json, summary] = ['x.json', 'x.md'].map((name) => path.join(folder, name))
    run('--filter=reviver', `--json=${json}`, `--summary=${summary}`)
    const { node, tables, results: { 'json 274 B, reviver': row, ...others } } = JSON.parse(fs.readFileSync(json))
    assert.equal(node, process.version)
    assert.equal(tables[0].rows[0][0], 'json 274 B, reviver')
    assert.deepEqual(others, {})
    assert.ok(row.ours[0].ns > 0 && row.ours[0].bytes > 1000)
    assert.match(fs.readFileSync(summary, 'utf8'), /\n## Requests\n[^]*\n\| json 274 B, reviver \| [\d,]+ \|/)
  })

  for (const [command, filter, row] of [
    ['upload-memory', 'multer, to memory', /multer, to memory +\d+ \(\d+-\d+\)\n/],
    ['large-bodies', 'records, 1 MB', /1 MB( +\d+ \(\d+-\d+\)){4}\n[^]*1 MB( +\d+\.\d\d){4}\n/],
    ['multipart', 'parsers, 20 fields', `parsers, 20 fields(${RATIO})+\n`],
    ['multipart', 'express, 20 fields', `express, 20 fields(${RATIO})+\n`],
    ['ndjson', 'records of 200', `records of 200 B(${RATIO})+\n`],
    ['web', 'Hono, text, plain, 208 KB', `Hono, text, plain, 208 KB(${RATIO}){2}\n`]
  ]) {
    it(`${command} prints a table of ${filter}`, () => {
      assert.match(run(command, `--filter=${filter}`), new RegExp(row))
    })
  }
})
