'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { captionLines } = require('../../../perf/caption')
const { drawLines, drawSvg } = require('../../../perf/drawing')
const { settingsOf } = require('../../../perf/options')

const targetOf = (name, version, overrides = {}, node = 'v24.0.0') => {
  return { resolved: { 'body-parser': { name, version } }, overrides, server: { node } }
}

describe('perf/caption', () => {
  for (const [title, a, b, expected] of [
    [
      'names two packages with their versions',
      targetOf('fast-body-parser', '2.4.100'),
      targetOf('body-parser', '2.4.0', { 'body-parser': '2.4.0' }),
      ['A: fast-body-parser 2.4.100 as body-parser, Node.js v24.0.0', 'B: body-parser 2.4.0, Node.js v24.0.0']
    ],
    [
      'adds the npm specs where names and versions are the same',
      targetOf('qs', '1.0.0', { 'body-parser': 'file:base' }),
      targetOf('qs', '1.0.0', { 'body-parser': 'file:.' }),
      [
        'A: qs 1.0.0 as body-parser, Node.js v24.0.0 (file:base)',
        'B: qs 1.0.0 as body-parser, Node.js v24.0.0 (file:.)'
      ]
    ],
    [
      'says which of two equal versions is this working tree',
      targetOf('body-parser', '2.4.0'),
      targetOf('body-parser', '2.4.0', { 'body-parser': 'file:../b' }),
      ['A: body-parser 2.4.0, Node.js v24.0.0 (this working tree)', 'B: body-parser 2.4.0, Node.js v24.0.0 (file:../b)']
    ],
    [
      'tells a package on two versions of Node.js apart',
      targetOf('body-parser', '2.4.0', { node: '20' }, 'v20.0.0'),
      targetOf('body-parser', '2.4.0', { node: '24' }),
      ['A: body-parser 2.4.0, Node.js v20.0.0', 'B: body-parser 2.4.0, Node.js v24.0.0']
    ]
  ]) {
    it(title, () => {
      const lines = captionLines({ targets: { a, b }, settings: { level: 0.9975 }, scenarios: [{}] })
      assert.deepEqual(lines, ['CPU time per request: B compared with A', ...expected,
        'Right of 0, B takes more. The dot: the estimate, the line: its 99.75 % interval.'])
    })
  }
})

describe('perf/drawing', () => {
  const verdict = (ratio, low, high, decision) => {
    return { ratio, interval: { low, high }, trials: 8, more: ratio > 1 ? 8 : 1, decision }
  }
  const two = [
    { name: 'first <', verdict: verdict(1.1, 1.08, 1.12, 'A faster'), self: verdict(1, 0.98, 1.02) },
    { name: '2', verdict: verdict(0.95, 0.9, Infinity, 'inconclusive') }
  ]

  it('marks zero, the interval, the estimate and the band of A beside A in each line', () => {
    const [first, second, axis] = drawLines(two).split('\n')
    const zero = axis.indexOf(' 0 ') + 1
    assert.equal(first[zero], '│')
    assert.match(first, /^ {2}first < +░+│░+ +─+●─+ +\+10\.0 %$/)
    assert.match(second, /^ {2}2 +─+●─+┼─+ {2}-5\.0 %$/)
    assert.match(axis, /^ +-10 % +-5 % +0 +\+5 % +\+10 % +\+15 %$/)
  })

  it('draws the same as SVG, for light and dark pages, with a caption and both targets', () => {
    const targets = { a: targetOf('fast-body-parser', '2.4.100'), b: targetOf('body-parser', '2.4.0') }
    const svg = drawSvg({ targets, settings: { level: 0.99 }, scenarios: two })
    for (const text of [
      'A: fast-body-parser 2.4.100 as body-parser, Node.js v24.0.0',
      'B: body-parser 2.4.0, Node.js v24.0.0',
      'Right of 0, B takes more. The dot: the estimate, the line: its 99 % interval, the band: A compared with itself.',
      'A faster, B took more in all 8 trials',
      'inconclusive, B took less in 7 of 8 trials'
    ]) {
      assert.ok(svg.includes(text), text)
    }
    assert.match(svg, /^<svg [^]*prefers-color-scheme: dark[^]*<\/svg>\n$/)
    assert.match(svg, />first &lt;<\/text>\n<rect class="band"/)
    assert.equal(svg.match(/<circle class="A"/g).length, 1)
    assert.doesNotMatch(svg, /NaN|Infinity|undefined/)
  })
})

describe('npm run test:load -- --markdown', () => {
  for (const name of ['svg', 'markdown', 'self']) {
    it(`fails at once for --${name} without a target B`, () => {
      assert.throws(() => settingsOf({ values: { [name]: name === 'self' || `x.${name}` } }),
        { message: `--${name} needs --overrides` })
    })
  }
})
