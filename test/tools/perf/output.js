'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { targetTexts } = require('../../../perf/caption')
const { OPTIONS, settingsOf } = require('../../../perf/options')
const { readOptions } = require('../../../tools/command-line')

const targetOf = (name, version, overrides = {}, node = 'v24.0.0') => {
  return { resolved: { 'body-parser': { name, version } }, overrides, server: { node } }
}

describe('perf/caption', () => {
  for (const [title, a, b, expected] of [
    [
      'names two packages with their versions',
      targetOf('fast-body-parser', '2.4.100'),
      targetOf('body-parser', '2.4.0', { 'body-parser': '2.4.0' }),
      ['fast-body-parser 2.4.100 as body-parser, Node.js v24.0.0', 'body-parser 2.4.0, Node.js v24.0.0']
    ],
    [
      'adds the npm specs where names and versions are the same',
      targetOf('qs', '1.0.0', { 'body-parser': 'file:base' }),
      targetOf('qs', '1.0.0', { 'body-parser': 'file:.' }),
      [
        'qs 1.0.0 as body-parser, Node.js v24.0.0 (file:base)',
        'qs 1.0.0 as body-parser, Node.js v24.0.0 (file:.)'
      ]
    ],
    [
      'says which of two equal versions is this working tree',
      targetOf('body-parser', '2.4.0'),
      targetOf('body-parser', '2.4.0', { 'body-parser': 'file:../b' }),
      ['body-parser 2.4.0, Node.js v24.0.0 (this working tree)', 'body-parser 2.4.0, Node.js v24.0.0 (file:../b)']
    ],
    [
      'tells a package on two versions of Node.js apart',
      targetOf('body-parser', '2.4.0', { node: '20' }, 'v20.0.0'),
      targetOf('body-parser', '2.4.0', { node: '24' }),
      ['body-parser 2.4.0, Node.js v20.0.0', 'body-parser 2.4.0, Node.js v24.0.0']
    ]
  ]) {
    it(title, () => assert.deepEqual(targetTexts({ a, b }), expected))
  }
})

describe('npm run test:load', () => {
  for (const [name, option] of [['profile', '--profile'], ['markdown', '--markdown=x.md']]) {
    it(`fails at once for --${name} without a target B`, () => {
      assert.throws(() => settingsOf(readOptions([option], OPTIONS)), { message: `--${name} needs --overrides` })
    })
  }
})
