'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')

const BENCH = path.join(__dirname, '../../../bench')

// Whole commands, each as short as it can be.
describe('bench/', function () {
  this.timeout(120_000) // ms

  let folder
  before(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-')) })
  after(() => fs.rmSync(folder, { recursive: true }))

  function run (...args) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, ...args], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.ok(stdout.split('\n').every(({ length }) => length <= 110), 'fits into a terminal')
    return stdout
  }

  it('large-bodies prints the memory and the time of each way to read a body', () => {
    const stdout = run('large-bodies', '--rounds=1', '--filter=jsonArray(), 1 MB')
    assert.match(stdout, /jsonArray\(\), 1 MB +\d+ +\d+-\d+ +\d+\.\d\d\n/)
  })

  it('upload-memory prints the memory of an upload, draws it, and keeps its table beside other runs', () => {
    const svg = path.join(folder, 'x.svg')
    const keep = path.join(folder, 'upload-memory.json')
    const other = { command: 'x', node: 'v24.0.0', machine: 'x', date: 'x', commit: 'x', tables: [] }
    fs.writeFileSync(keep, JSON.stringify({ format: 'fast-body-parser/figures/1', runs: [other] }))
    const args = ['--rounds=1', '--size=5', '--filter=multer, to disk', `--svg=${svg}`, `--keep=${keep}`]
    run('upload-memory', ...args)
    const stdout = run('upload-memory', ...args)
    const { runs } = JSON.parse(fs.readFileSync(keep))
    assert.deepEqual(runs[0], other)
    assert.deepEqual(runs.slice(1).map(({ command, node, tables }) => [command, node, tables[0].rows[0][0]]),
      [['npm run bench -- upload-memory --rounds=1 --size=5 --filter=multer, to disk', process.version,
        'multer, to disk']])
    assert.match(stdout, /multer, to disk +\d+ +\d+ +\d+\n/)
    assert.match(fs.readFileSync(svg, 'utf8'), />multer, to disk</)
  })

  it('index measures what the filter selects, and writes the samples and a summary', () => {
    const [json, summary] = ['x.json', 'x.md'].map((name) => path.join(folder, name))
    const stdout = run('--quick', '--filter=raw 274 B', `--json=${json}`, `--summary=${summary}`)
    assert.match(stdout, /raw 274 B[^]*no raw/)
    const { node, results: { 'raw 274 B': { ours, 'co-body': unable }, ...others } } = JSON.parse(fs.readFileSync(json))
    assert.equal(node, process.version)
    assert.deepEqual(others, {})
    assert.ok(ours.times.length === 8 && ours.times.every((time) => time > 0) && ours.heap > 1000)
    assert.deepEqual(unable, { missing: ['raw'] })
    assert.match(fs.readFileSync(summary, 'utf8'), /\n## Requests\n[^]*\n\| raw 274 B \| [\d,]+ \|/)
  })

  for (const [command, filter, row] of [
    ['multipart', 'parsers, 20 fields', /parsers, 20 fields +\d+ \(0\.\d\d\) +\d+ \(1\.00\)( +\d+ \(\d+\.\d\d\))+\n/],
    ['multipart', 'express, 20 fields', /express, 20 fields +\d+ +\d+ \(\d\.\d\d\) +\d+ +\d+ \(1\.00\)/],
    ['ndjson', 'records', /records of 200 B +\d+ \(1\.00\)( +\d+ \(\d\.\d\d\)){2}\n/],
    ['small-records', '1, nothing', /1, nothing +\d+ \(1\.00\)( +\d+ \(\d+\.\d\d\))+\n/],
    ['web', 'Hono, text, plain, 208 KB', /Hono, text, plain, 208 KB +\d+ \(1\.00\) +\d+ \(\d\.\d\d\)\n/]
  ]) {
    it(`${command} prints ratios to a peer, of ${filter}`, () => {
      const stdout = run(command, '--rounds=1', `--filter=${filter}`)
      assert.match(stdout, /^Node\.js v\S+, .*, commit .*\n/)
      assert.match(stdout, row)
    })
  }
})
