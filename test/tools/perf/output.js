'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { describe, it } = require('mocha')
const { parseArguments } = require('autocannon')
const { drawLines, drawSvg } = require('../../../perf/drawing')
const handText = require('../../../perf/print')
const scenarios = require('../../../perf/scenarios')

describe('perf/drawing', () => {
  const verdict = (ratio, low, high, decision) => ({ ratio, interval: { low, high }, agreement: '8+/0-', decision })
  const two = [
    { name: 'first <', verdict: verdict(1.1, 1.08, 1.12, 'A faster'), self: verdict(1, 0.98, 1.02) },
    { name: '2', verdict: verdict(0.95, 0.9, Infinity, 'inconclusive') }
  ]

  it('marks zero, the interval, the estimate and the band of A beside A in each line', () => {
    const [first, second, axis] = drawLines(two).split('\n')
    const zero = axis.indexOf(' 0 ') + 1
    assert.equal(first[zero], '│')
    assert.match(first, /^ {2}first < +░+│░+ +─+●─+ +\+10\.0 % {2}8\+\/0-$/)
    assert.match(second, /^ {2}2 +─+●─+┼─+ {2}-5\.0 % {2}8\+\/0-$/)
    assert.match(axis, /^ +-10 % +-5 % +0 +\+5 % +\+10 % +\+15 %$/)
  })

  it('draws the same as SVG, for light and dark pages', () => {
    const svg = drawSvg(two)
    assert.match(svg, /^<svg [^]*prefers-color-scheme: dark[^]*<\/svg>\n$/)
    assert.match(svg, />first &lt;<\/text>\n<rect class="band"/)
    assert.equal(svg.match(/<circle class="A"/g).length, 1)
    assert.doesNotMatch(svg, /NaN|Infinity|undefined/)
  })
})

describe('npm run test:load -- --print', () => {
  const target = { node: { path: 'node' }, folders: { express5: '/app' } }
  const find = (name) => scenarios.find((one) => one.name === name)
  const printed = (name) => handText(find(name), [target], { connections: 16, pipelining: 1 })

  it('prints a line of autocannon that sends the same request', () => {
    const line = printed('express5-text').split('\n').at(-2)
    const options = parseArguments(line.match(/'[^']*'|\S+/g).slice(2).map((word) => word.replaceAll("'", '')))
    const [request] = find('express5-text').requests()
    assert.equal(options.body, String(request.body))
    assert.equal(options.headers['content-type'], request.headers['content-type'])
    const { method, connections, expectBody, url } = options
    assert.deepEqual([method, connections, expectBody, url], ['POST', 16, 'the-end!', 'http://127.0.0.1:3000/'])
    fs.rmSync(options.input)
  })

  for (const [name, reason] of [
    ['express5-json-mix', 'one request, not 8'],
    ['express5-json-chunked', 'always declares a length'],
    ['express5-json-gzip', 'reads files as UTF-8'],
    ['express5-beside-large', 'others are sent beside it']
  ]) {
    it(`says that there is none for ${name}, and why`, () => {
      assert.match(printed(name), new RegExp(`: no line, as .*${reason}`))
    })
  }
})
