'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('mocha')
const { fileName, number, oneOf, readOptions, someOf, wholeNumber } = require('../../../tools/command-line')

const OPTIONS = {
  rate: { short: 'r', value: 'N', read: number(1, 10), default: 5, help: 'requests per second' },
  'min-rounds': { value: 'N', read: wholeNumber(1, 100), help: 'how many' },
  test: { short: 't', value: 'NAMES', multiple: true, read: someOf(['one', 'two', 'three']), help: 'which' },
  way: { value: 'NAME', read: oneOf(['up', 'down']), help: 'direction' },
  json: { value: 'FILE', read: fileName('.json'), help: 'where to' },
  write: { default: true, help: 'write files' }
}

describe('tools/command-line', () => {
  it('converts values, and fills in the defaults', () => {
    const { values } = readOptions(['-r', '2.5', '--test=two,one', '-t', 'two', '--no-write', '--json=x.json'], OPTIONS)
    assert.deepEqual(values, { rate: 2.5, minRounds: null, test: ['two', 'one'], way: null, json: path.resolve('x.json'), write: false, help: false })
    assert.equal(readOptions([], OPTIONS).values.rate, 5)
  })

  for (const [args, message] of [
    [['--rate='], '--rate must be a number from 1 to 10, not ""'],
    [['--min-rounds=1.5'], '--min-rounds must be a whole number from 1 to 100, not "1.5"'],
    [['--test=one,'], '--test must be some of one, two, three, not ""'],
    [['--way=left'], '--way must be one of up, down, not "left"'],
    [['--json=x'], '--json must be the name of a file that ends in .json'],
    [['--nonsense'], "Unknown option '--nonsense'; --help lists the options"],
    [['--write=yes'], "Option '--write' does not take an argument; --help lists the options"]
  ]) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.throws(() => readOptions(args, OPTIONS), { constructor: require('../../../tools/user-error'), message })
    })
  }

  for (const [args, status, stdout, stderr] of [
    [['--help'], 0, /^A command for tests\.\n\n {2}.*--rate=N/, /^$/],
    [['--rate=x'], 2, /^$/, /^error: --rate must be a number from 1 to 10, not "x"\n$/],
    [['--rate=8'], 2, /^$/, /^TypeError: a bug\n {4}at /]
  ]) {
    it(`ends a command with status ${status} after "${args.join(' ')}"`, () => {
      const result = spawnSync(process.execPath, [path.join(__dirname, 'support/command.js'), ...args], { encoding: 'utf8' })
      assert.equal(result.status, status)
      assert.match(result.stdout, stdout)
      assert.match(result.stderr, stderr)
    })
  }
})
