'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('mocha')
const { fileName, helpText, nodeFlags, number, oneOf, readOptions, refuseIdle, someOf, wholeNumber } = require('../../../tools/command-line')

const OPTIONS = {
  rate: { short: 'r', value: 'N', read: number(1, 10), default: 5, help: 'requests per second' },
  rounds: { value: 'N', read: wholeNumber(1, 100), help: 'how many' },
  test: { short: 't', value: 'NAMES', multiple: true, read: someOf(['one', 'two', 'three']), help: 'which' },
  way: { value: 'NAME', read: oneOf(['up', 'down']), help: 'direction' },
  json: { value: 'FILE', read: fileName('.json'), help: 'where to' },
  'node-flags': { value: 'FLAGS', read: nodeFlags, default: () => [], help: 'of Node.js' },
  write: { default: true, help: 'write files' },
  quiet: { help: 'no progress' }
}

describe('tools/command-line', () => {
  it('fills in the defaults', () => {
    const { values, given, positionals } = readOptions([], OPTIONS)
    assert.deepEqual(values, { rate: 5, rounds: null, test: null, way: null, json: null, nodeFlags: [], write: true, quiet: false, help: false })
    assert.deepEqual([...given, ...positionals], [])
  })

  it('converts values, of long and short names', () => {
    const { values, given } = readOptions(['-r', '2.5', '--test=two,one', '-t', 'two', '--no-write', '--json=x.json', '--node-flags=--a=1 --b'], OPTIONS)
    const { rate, test, write, json, nodeFlags: flags } = values
    assert.deepEqual({ rate, test, write, json, flags }, { rate: 2.5, test: ['two', 'one'], write: false, json: path.resolve('x.json'), flags: ['--a=1', '--b'] })
    assert.deepEqual([...given].sort(), ['json', 'node-flags', 'rate', 'test', 'write'])
  })

  it('takes positional arguments only where they are expected', () => {
    assert.deepEqual(readOptions(['a', '--rate=1', 'b'], OPTIONS, { positionals: true }).positionals, ['a', 'b'])
    assert.throws(() => readOptions(['a'], OPTIONS), /Unexpected argument 'a'/)
  })

  for (const [args, message] of [
    [['--rate='], '--rate must be a number from 1 to 10, not ""'],
    [['--rate=11'], '--rate must be a number from 1 to 10, not "11"'],
    [['--rounds=1.5'], '--rounds must be a whole number from 1 to 100, not "1.5"'],
    [['--rounds=0'], '--rounds must be a whole number from 1 to 100, not "0"'],
    [['--test=one,'], '--test must be some of one, two, three, not ""'],
    [['--way=left'], '--way must be one of up, down, not "left"'],
    [['--json=x'], '--json must be the name of a file that ends in .json'],
    [['--node-flags=x.js'], '--node-flags must be flags such as --max-semi-space-size=1, not "x.js"'],
    [['--nonsense'], "Unknown option '--nonsense'; --help lists the options"],
    [['--quiet=yes'], "Option '--quiet' does not take an argument; --help lists the options"]
  ]) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.throws(() => readOptions(args, OPTIONS), { constructor: require('../../../tools/user-error'), message })
    })
  }

  it('refuses options that have no effect', () => {
    assert.throws(() => refuseIdle(new Set(['rate']), ['quiet', 'rate'], 'beside --from'), /^Error: --rate does nothing beside --from$/)
    refuseIdle(new Set(['rate']), ['quiet'], 'beside --from')
  })

  it('lists the options with their defaults', () => {
    const lines = helpText(OPTIONS).split('\n')
    assert.equal(lines[0], '  -r, --rate=N            requests per second (5)')
    assert.equal(lines[1], '      --rounds=N          how many')
    assert.equal(lines[8], '  -h, --help              this text')
  })

  describe('a command', () => {
    for (const [args, status, stdout, stderr] of [
      [[], 0, /^5\n$/, /^$/],
      [['--help'], 0, /^A command for tests\.\n\n {2}.*--rate=N/, /^$/],
      [['--rate=x'], 2, /^$/, /^error: --rate must be a number from 1 to 10, not "x"\n$/],
      [['--rate=7'], 2, /^$/, /^error: seven is taken\n$/],
      [['--rate=8'], 2, /^$/, /^TypeError: a bug\n {4}at /]
    ]) {
      it(`ends with status ${status} after "${args.join(' ')}"`, () => {
        const result = spawnSync(process.execPath, [path.join(__dirname, 'support/command.js'), ...args], { encoding: 'utf8' })
        assert.equal(result.status, status)
        assert.match(result.stdout, stdout)
        assert.match(result.stderr, stderr)
      })
    }
  })
})
