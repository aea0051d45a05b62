'use strict'

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const { mean, sum } = require('../../../tools/statistics')

const ROOT = path.join(__dirname, '../../..')
const FAULTY = JSON.stringify({ 'body-parser': path.join(__dirname, 'support/faulty') })
const SHORT = ['--test=http-json', '--minutes=0.01', '--warmup=50', '--duration=20']

// Whole sessions, as short as they can be.
describe('npm run test:load', function () {
  this.timeout(480_000) // ms; npm installs the targets

  let folder

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-session-'))
  })

  after(() => fs.rmSync(folder, { recursive: true, maxRetries: 5 }))

  async function session (args, env = {}) {
    const child = spawn(process.execPath, [path.join(ROOT, 'perf/index.js'), ...SHORT, ...args],
      { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => { stdout += text })
    child.stderr.on('data', (text) => { stderr += text })
    const [status] = await once(child, 'close')
    return { status, stdout, stderr: stderr.trim() }
  }

  it('finds a planted difference', async () => {
    const output = path.join(folder, 'planted.json')
    const { status, stderr } = await session(['--planted=400', `--output=${output}`])
    assert.equal(status, 0, stderr)
    assert.equal(JSON.parse(fs.readFileSync(output)).verdict.decision, 'A faster')
  })

  for (const [fault, message] of [
    ['corrupt', /target B, http-json: \d+ of \d+ .* wrong, the first 200 "changed!" instead of 200 "the-end!"$/],
    ['die', /target B, http-json: died \(status 3\)/]
  ]) {
    it(`ends with an error, and no file, when a server starts to ${fault}`, async () => {
      const output = path.join(folder, `${fault}.json`)
      fs.writeFileSync(output, 'of yesterday')
      const { status, stderr } = await session([`--overrides=${FAULTY}`, `--output=${output}`], { FAULT: fault })
      assert.equal(status, 2)
      assert.match(stderr.split('\n').at(-1), message)
      assert.deepEqual(fs.readdirSync(folder).filter((file) => file.startsWith(fault)), [])
    })
  }

  it('leaves out a scenario that says nothing about a target, and profiles the other', async () => {
    const { status, stdout, stderr } = await session([
      '--profile',
      '--test=express5-json-br', '--overrides={"body-parser":"1.20.3"}', `--output=${path.join(folder, 'skip.json')}`
    ])
    assert.equal(status, 0, stderr)
    assert.match(stdout,
      /http-json, 16 connections\n[^]*express5-json-br is left out: target B does not know the content coding br/)
    assert.deepEqual(fs.readdirSync(folder).filter((file) => file.startsWith('skip')).sort(),
      ['skip.1.a.cpuprofile', 'skip.1.b.cpuprofile', 'skip.a.json', 'skip.b.json', 'skip.json'])
    assert.match(stdout, /^ {2}body-parser: .* \(lib\/.*:\d+\) +\d+\.\d\d +0\.00 +-\d+\.\d\d$/m)
    const { scenarios: [{ profile: { rows } }] } = JSON.parse(fs.readFileSync(path.join(folder, 'skip.json')))
    const { scenarios: [{ profile: { rounds } }] } = JSON.parse(fs.readFileSync(path.join(folder, 'skip.b.json')))
    const [seen, metered] = [sum(rows.map(({ b }) => b)), mean(rounds.map(({ cpu }) => cpu))]
    assert.ok(Math.abs(seen / metered - 1) < 0.05, `${seen} us of ${metered}`)
    assert.ok(JSON.parse(fs.readFileSync(path.join(folder, 'skip.1.a.cpuprofile'))).samples.length > 1000)
    const { resolved } = JSON.parse(fs.readFileSync(path.join(folder, 'skip.a.json')))
    assert.equal(resolved['body-parser'].name, 'fast-body-parser')
  })
})
