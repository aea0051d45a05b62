'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('mocha')
const { readArguments } = require('../../../perf/arguments')
const { scenarioNames } = require('../../../perf/scenario')

const names = ['one', 'two']

const WRONG = [
  [['--overrides={'], /--overrides is not JSON/],
  [['--overrides=[]'], /--overrides must be an object/],
  [['--overrides=null'], /--overrides must be an object/],
  [['--overrides={"qs":1}'], /qs needs an npm spec/],
  [['--overrides={"qs":" "}'], /qs needs an npm spec/],
  [['--overrides={"-g":"1"}'], /no package name/],
  [['--overrides={"../x":"1"}'], /no package name/],
  [['--baseline=x'], /--baseline is not JSON/],
  [['--test=three'], /unknown test "three"/],
  [['--test=one,'], /unknown test ""/],
  [['--rounds=0'], /--rounds must be a number/],
  [['--rounds=1.5'], /--rounds must be a whole number/],
  [['--rounds=auto'], /--rounds=auto needs something to compare with/],
  [['--rounds=1', '--overrides={}'], /--rounds must be a number from 2/],
  [['--rounds=7', '--calibrate'], /--rounds must be a number from 8/],
  [['--duration='], /--duration must be a number/],
  [['--duration=abc'], /--duration must be a number/],
  [['--connections=-1'], /--connections must be a number/],
  [['--threshold=0'], /--threshold must be a number/],
  [['--rate=fast'], /--rate must be a number/],
  [['--output=x.html'], /--output must end in .json/],
  [['--url=ftp://x'], /no http URL/],
  [['--url=http://x/y'], /--url is a server, such as http:\/\/x, not http:\/\/x\/y/],
  [['--url=http://x'], /--url needs one --test/],
  [['--calibrate', '--overrides={}'], /exclude each other/],
  [['--plant=3'], /--plant needs one --test/],
  [['--export=other'], /--export knows artillery/],
  [['--export=artillery', '--report'], /--report does nothing beside --export/],
  [['--export=artillery', '--overrides={}'], /--overrides does nothing beside --export/],
  [['--url=http://x', '--test=one', '--baseline={}'], /--baseline does nothing beside --url/],
  [['--overrides={}', '--rounds=5', '--max-time=9'], /--max-time does nothing without --rounds=auto/],
  [['--threshold=2'], /--threshold does nothing without a side B/],
  [['--nonsense'], /Unknown option '--nonsense'/],
  [['stray'], /Unexpected argument 'stray'/]
]

describe('perf/arguments', () => {
  for (const [args, message] of WRONG) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.throws(() => readArguments(args, names), message)
    })
  }

  it('has a default for everything', () => {
    const settings = readArguments([], names)
    assert.deepEqual(settings.tests, names)
    assert.equal(settings.compares, false)
    assert.equal(settings.rounds, 5)
    for (const [name, value] of Object.entries(settings)) assert.notEqual(value, undefined, name)
  })

  it('goes on until it is sure when there is something to compare', () => {
    const settings = readArguments(['--overrides={"body-parser":"2.4.0","node":"24"}'], names)
    assert.equal(settings.rounds, 'auto')
    assert.deepEqual(settings.overrides, { 'body-parser': '2.4.0', node: '24' })
  })

  it('takes several tests, each once', () => {
    assert.deepEqual(readArguments(['--test=two,one', '--test', 'two'], names).tests, ['two', 'one'])
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
