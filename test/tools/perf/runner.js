'use strict'

const assert = require('node:assert/strict')
const Ajv = require('ajv')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { after, before, describe, it } = require('mocha')
const schema = require('../../../perf/results/comparison.schema.json')

const BARE = JSON.stringify({ 'body-parser': path.join(__dirname, '../../../tools/bare') })
const FAULTY = JSON.stringify({ 'body-parser': path.join(__dirname, 'support/faulty') })

// Whole sessions, as short as they can be.
describe('perf/runner', function () {
  this.timeout(120_000) // ms; npm installs the targets, and servers become steady

  let folder

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-session-'))
  })

  after(() => folder && fs.rmSync(folder, { recursive: true }))

  it('compares two targets, and writes a comparison that follows the schema, a summary, its chart, and a page', async () => {
    const [output, summary] = ['x.json', 'screen.json'].map((name) => path.join(folder, name))
    const { status, stderr } = await session(['--test=http-json', `--overrides=${BARE}`, '--runs=2', `--output=${output}`, `--summary=${summary}`, '--report']).ended
    assert.equal(status, 0, stderr)
    const comparison = read(output)
    const validate = new Ajv().compile(schema)
    assert.ok(validate(comparison), JSON.stringify(validate.errors))
    assert.equal(comparison.targets.b.resolved['body-parser'].name, 'bare-body-parser')
    for (const letter of ['a', 'b']) {
      const result = read(path.join(folder, `x.${letter}.json`))
      const [client] = result.clientResults
      assert.equal(client.non2xx, 0)
      assert.equal(client.requests.total, comparison[letter].status[200])
      assert.ok(result.scenarios[0].blocks.length >= 2 * 3)
      for (const { steadyAfter } of comparison.scenarios[0].runs) assert.ok(steadyAfter[letter.toUpperCase()].seconds < 8) // s of --warmup; 0 if it was steady from the start
      assert.equal(result.scenarios[0].loaded[0].package, result.resolved['body-parser'].name)
      for (const key of ['serverMetadata', 'clientMetadata', 'serverResults', 'options']) assert.ok(key in result, key)
    }
    const text = fs.readFileSync(summary, 'utf8')
    assert.ok(text.split('\n').length < 60)
    assert.equal(JSON.parse(text).scenarios['http-json, 8 connections'].runs.length, 2)
    assert.match(fs.readFileSync(path.join(folder, 'screen.svg'), 'utf8'), /^<svg [^>]*role="img"><title>CPU per request: http-json, 8 connections: /)
    assert.match(fs.readFileSync(path.join(folder, 'x.html'), 'utf8'), /^<!doctype html>/)
    assert.deepEqual(fs.readdirSync(folder).sort(), ['screen.json', 'screen.svg', 'x.a.json', 'x.b.json', 'x.html', 'x.json'])
  })

  for (const [fault, message] of [
    ['corrupt', /target B, http-json: the answer is not what was sent: "changed!" instead of "the-end!"/],
    ['refuse', /target B, http-json: status 500 instead of 200: "refused"/],
    ['die', /target B, http-json: died \(status 3\)/]
  ]) {
    it(`ends with an error, and no file, when a server starts to ${fault}`, async () => {
      const output = path.join(folder, `${fault}.json`)
      fs.writeFileSync(output, 'of yesterday')
      const { status, stderr } = await session(['--test=http-json', `--overrides=${FAULTY}`, '--runs=2', `--output=${output}`], { FAULT: fault }).ended
      assert.equal(status, 1)
      assert.match(stderr.trim().split('\n').at(-1), message)
      assert.deepEqual(fs.readdirSync(folder).filter((file) => file.startsWith(fault)), [])
    })
  }

  it('counts wrong responses with --keep-going, and goes on', async () => {
    const output = path.join(folder, 'kept.json')
    const { status, stderr } = await session(['--test=http-json', `--baseline=${FAULTY}`, '--runs=1', '--keep-going', `--output=${output}`], { FAULT: 'corrupt' }).ended
    assert.equal(status, 0, stderr)
    const { mismatches, errors, requests } = read(output).clientResults[0]
    assert.equal(mismatches, requests.total)
    assert.equal(errors, 0)
    assert.match(read(output).scenarios[0].warnings.join(), /target A: \d{3,} wrong responses and 0 errors/)
  })

  it('writes nothing with --no-write', async () => {
    const before = fs.readdirSync(folder)
    assert.equal((await session(['--test=http-json', '--runs=1', '--no-write']).ended).status, 0)
    assert.deepEqual(fs.readdirSync(folder), before)
  })

  it('leaves out what says nothing about a target, and says so', async () => {
    const output = path.join(folder, 'none.json')
    const overrides = JSON.stringify({ 'body-parser': path.join(__dirname, '../../../tools/bare'), bytes: '3.1.2' })
    const { status, stderr } = await session(['--test=http-json', `--overrides=${overrides}`, '--runs=2', `--output=${output}`]).ended
    assert.equal(status, 1)
    assert.match(stderr, /error: http-json is left out: target B did not load bytes/)
  })

  it('asks a server elsewhere what it serves', async () => {
    const server = session(['--test=http-json', `--overrides=${BARE}`], {}, 'server.js', [])
    const output = path.join(folder, 'u.json')
    let url
    try {
      const [text] = await Promise.race([once(server.child.stdout, 'data'), server.ended.then(({ stderr }) => { throw new Error(stderr) })])
      url = String(text).match(/http:\S+/)[0]
      const wrong = await session(['--test=http-json-medium', `--url=${url}`]).ended
      assert.match(wrong.stderr, /error: http:\S+ serves http-json, not http-json-medium/)
      const { status, stderr } = await session(['--test=http-json', `--url=${url}`, '--runs=1', `--output=${output}`]).ended
      assert.equal(status, 0, stderr)
    } finally {
      server.child.kill()
    }
    const { resolved, serverMetadata, scenarios } = read(output)
    assert.equal(resolved['body-parser'].name, 'bare-body-parser')
    assert.equal(scenarios[0].loaded[0].package, 'bare-body-parser')
    assert.deepEqual(serverMetadata, { url, node: process.version })
    await server.ended
    const { stderr } = await session(['--test=http-json', `--url=${url}`]).ended
    assert.match(stderr, /error: http:\S+ cannot be reached: .*ECONNREFUSED/)
  })

  it('ends with an error if a server does not become steady', async () => {
    const { status, stderr } = await session(['--test=http-json', `--baseline=${FAULTY}`, '--runs=1', '--no-write'], { FAULT: 'slow' }).ended
    assert.equal(status, 1)
    assert.match(stderr, /error: http-json: within --warmup=8 s of load the servers became steady in 0 of 3 runs, and 1 are needed/)
  })

  it('knows at once that it cannot write', async () => {
    const output = path.join(folder, 'taken.json')
    fs.mkdirSync(output)
    const { status, stderr } = await session(['--test=http-json', `--output=${output}`]).ended
    assert.equal(status, 1)
    assert.match(stderr, /^error: cannot write .*taken\.json: EISDIR.*\n$/)
  })

  it('leaves no half-made folder behind when it is interrupted while npm installs', async () => {
    const cache = path.join(folder, 'cache')
    const targets = path.join(cache, 'fast-body-parser-perf', 'targets')
    const drafts = () => fs.existsSync(targets) ? fs.readdirSync(targets).filter((name) => name.includes('.part-')) : []
    const { child, ended } = session(['--test=http-json', `--output=${path.join(folder, 'i.json')}`], { XDG_CACHE_HOME: cache })
    while (!drafts().some((name) => fs.existsSync(path.join(targets, name, 'node_modules')))) await sleep(20)
    child.kill('SIGINT')
    const { status, stderr } = await ended
    assert.equal(status, 130)
    assert.doesNotMatch(stderr, /Error|left behind/)
    assert.deepEqual(fs.readdirSync(cache, { recursive: true }).filter((file) => /part-[^/]*$/.test(file)), [])
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const output = path.join(folder, 'i.json')
    const { child, ended } = session(['--test=http-json', `--overrides=${BARE}`, '--runs=100', `--output=${output}`])
    let told = ''
    child.stderr.on('data', (text) => {
      told += text
      if (/run 1/.test(told)) child.kill('SIGINT')
    })
    assert.equal((await ended).status, 130)
    await gone(child.pid)
    assert.deepEqual(fs.readdirSync(folder).filter((file) => file.startsWith('i')), [])
  })
})

function session (args, env = {}, program = 'cli.js', short = ['--connections=8', '--duration=0.5', '--warmup=8']) {
  const child = spawn(process.execPath, [path.join(__dirname, '../../../perf', program), ...args, ...short], {
    detached: true, // leads a group, so that `gone` can ask for all of it
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  child.stdout.resume()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text })
  const ended = new Promise((resolve) => child.once('close', (status) => resolve({ status, stderr })))
  return { child, ended }
}

/** Waits until no process of the group is left; mocha's timeout is the limit. */
async function gone (group) {
  while (true) {
    try {
      process.kill(-group, 0)
    } catch (error) {
      assert.equal(error.code, 'ESRCH')
      return
    }
    await sleep(20)
  }
}

function read (file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}
