'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('mocha')
const { readSettings } = require('../../../perf/options')
const { scenarioNames } = require('../../../perf/scenarios')

const ONE = '--test=http-json'

const WRONG = [
  [['--overrides={'], /--overrides must be JSON/],
  [['--overrides=[]'], /--overrides must be an object/],
  [['--overrides=null'], /--overrides must be an object/],
  [['--overrides={"qs":1}'], /must have an npm spec such as "2\.4\.0" for qs/],
  [['--overrides={"qs":" "}'], /must have an npm spec/],
  [['--overrides={"-g":"1"}'], /must have names of packages, not "-g"/],
  [['--overrides={"../x":"1"}'], /must have names of packages/],
  [['-o', 'x.json'], /--overrides must be JSON/],
  [['--baseline=x'], /--baseline must be JSON/],
  [['--node=24 || 26'], /--node must be a version of Node\.js/],
  [['--test=three'], /--test must be some of .*, not "three"/],
  [['--test=http-json,'], /not ""/],
  [['--runs=0'], /--runs must be a whole number from 1/],
  [['--runs=1.5'], /--runs must be a whole number/],
  [['--runs=1', '--overrides={}'], /--runs must be at least 2 to compare/],
  [['--runs=1', '--calibrate'], /--runs must be at least 2 to compare/],
  [['--duration=0.1'], /--duration must be at least 0\.5: .* whether a block is steady/],
  [['--warmup=0'], /--warmup must be at least 4: .* whether a server is steady/],
  [['--duration='], /--duration must be a number/],
  [['--duration=abc'], /--duration must be a number/],
  [['--connections=-1'], /--connections must be a whole number/],
  [['--threshold=0'], /--threshold must be a number/],
  [['--rate=fast'], /--rate must be a number/],
  [['--rate=95%'], /--rate must be a number from 1 to 90/],
  [['--rate=30%', '--url=http://x', ONE], /--rate must be requests per second beside --url/],
  [['--connections=1,,8'], /--connections must be a whole number/],
  [['--output=x.html'], /--output must be the name of a file that ends in \.json/],
  [['--url=ftp://x'], /--url must be an http URL/],
  [['--url=http://x/y'], /--url must be a server, such as http:\/\/x, not http:\/\/x\/y/],
  [['--url=http://x', '--test=all'], /--url needs one --test/],
  [['--calibrate', '--overrides={}'], /--overrides and --calibrate exclude each other/],
  [['--inject-fault=3', '--connections=8', '--test=http-json,express5-json'], /--inject-fault needs one --test/],
  [['--inject-fault=3'], /and one load/],
  [['--summary=x.json'], /--summary needs something to compare with/],
  [['--export=other'], /--export must be one of artillery/],
  [['--export=artillery', '--report'], /--report does nothing beside --export/],
  [['--export=artillery', '--overrides={}'], /--overrides does nothing beside --export/],
  [['--url=http://x', ONE, '--baseline={}'], /--baseline does nothing beside --url/],
  [['--threshold=2'], /--threshold does nothing without a target B/],
  [['--no-write', '--output=x.json'], /--output does nothing beside --no-write/],
  [['--nonsense'], /Unknown option '--nonsense'/],
  [['stray'], /Unexpected argument 'stray'/]
]

describe('perf/options', () => {
  for (const [args, message] of WRONG) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.throws(() => readSettings(args), message)
    })
  }

  it('has a default for everything', () => {
    const settings = readSettings([])
    assert.deepEqual(settings.tests, ['express5-json-1kb'])
    assert.deepEqual(settings.loads.map(({ name }) => name), ['30 % of a core', '70 % of a core', '1 connection', '8 connections', '50 connections'])
    assert.equal(settings.compares, false)
    assert.equal(settings.write, true)
    for (const [name, value] of Object.entries(settings)) assert.notEqual(value, undefined, name)
  })

  it('takes open and closed loops, and only those', () => {
    const { loads } = readSettings(['--rate=5000,25%', '--connections=2'])
    assert.deepEqual(loads, [
      { name: '5000 requests/s', connections: 50, rate: 5000 },
      { name: '25 % of a core', connections: 50, rate: null, share: 0.25 },
      { name: '2 connections', connections: 2, rate: null }
    ])
  })

  it('leaves out shares of a core that it cannot see, of a server elsewhere', () => {
    assert.ok(readSettings(['--url=http://x', ONE]).loads.every(({ share }) => share === undefined))
  })

  it('compares in at least 3 runs, unless there are to be fewer', () => {
    const settings = readSettings(['--overrides={"body-parser":"2.4.0","node":"24"}'])
    assert.ok(settings.runs >= 3)
    assert.ok(readSettings(['--calibrate']).runs >= 8)
    assert.deepEqual(settings.overrides, { 'body-parser': '2.4.0', node: '24' })
  })

  it('takes all tests', () => {
    assert.deepEqual(readSettings(['--test=all']).tests, scenarioNames())
  })

  it('takes several tests, each once', () => {
    assert.deepEqual(readSettings(['--test=http-json,express5-get', '--test', 'http-json']).tests, ['http-json', 'express5-get'])
  })

  it('takes the command lines of perf-wg\'s load tests', () => {
    const name = '@expressjs/perf-load-body-parser'
    for (const args of [[`--test=${name}`, '--write'], ['-t', name, '--no-write', '--node=24', '-o', '{"body-parser":"2.4.0"}']]) {
      const { tests, write } = readSettings(args)
      assert.deepEqual(tests, [name])
      assert.equal(write, !args.includes('--no-write'))
    }
  })

  it('runs both targets on the Node.js of --node, unless one has its own', () => {
    const { baseline, overrides } = readSettings(['--node=24', '--overrides={"node":"26","body-parser":"2.4.0"}'])
    assert.deepEqual(baseline, { node: '24' })
    assert.deepEqual(overrides, { node: '26', 'body-parser': '2.4.0' })
    assert.equal(readSettings(['--node=24']).overrides, null)
  })
})

describe('perf/cli', function () {
  this.timeout(20_000) // ms; a process per test

  it('names the scenarios', () => {
    const { status, stdout } = run('cli.js', '--list')
    assert.equal(status, 0)
    assert.deepEqual(stdout.trim().split('\n').map((line) => line.split(' ')[0]), scenarioNames())
  })

  it('helps', () => {
    const { status, stdout } = run('cli.js', '--help')
    assert.equal(status, 0)
    assert.match(stdout, /--overrides=JSON/)
  })

  it('tells of wrong input in one line on stderr, with exit status 1', () => {
    for (const program of [['cli.js', '--test=nope'], ['compare.js', 'only-one.json'], ['compare.js', '--nope'], ['server.js', '--test=nope']]) {
      const { status, stdout, stderr } = run(...program)
      assert.equal(status, 1, program.join(' '))
      assert.match(stderr, /^error: .+\n$/)
      assert.equal(stdout, '')
    }
  })
})

function run (program, ...args) {
  return spawnSync(process.execPath, [path.join(__dirname, '../../../perf', program), ...args], { encoding: 'utf8' })
}
