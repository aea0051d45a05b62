'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { parseCores } = require('../../../tools/cpu-affinity')
const { clock, createProgress } = require('../../../tools/progress')
const { createRandom, pick, shuffle } = require('../../../tools/random')
const textTable = require('../../../tools/text-table')

describe('tools/text-table', () => {
  const head = ['', 'A', 'change']
  const rows = [['CPU', '5 us', '+3.1 %'], ['latency, p99', '12.5 ms', '']]

  it('aligns figures to the right', () => {
    assert.equal(textTable(head, rows), [
      '                      A  change',
      '  CPU              5 us  +3.1 %',
      '  latency, p99  12.5 ms'
    ].join('\n'))
  })

  it('draws borders if asked to', () => {
    assert.match(textTable(head, rows, { border: true }), /│ CPU {10}│ {4}5 us │ \+3\.1 % │/)
  })
})

describe('tools/progress', () => {
  const stream = (isTTY) => ({ isTTY, text: '', write (text) { this.text += text } })

  it('prints lines where there is no terminal', () => {
    const out = stream(false)
    const progress = createProgress({ stream: out })
    progress.say('one')
    progress.update(0.5, 'two')
    progress.stop()
    assert.equal(out.text, 'one\n')
  })

  it('prints nothing if it is to be quiet', () => {
    const out = stream(true)
    const progress = createProgress({ quiet: true, stream: out })
    progress.say('one')
    progress.update(0.5, 'two')
    progress.stop()
    assert.equal(out.text, '')
  })

  it('writes times as clocks do', () => {
    assert.deepEqual([0, 61_400, 3_600_000].map(clock), ['0:00', '1:01', '60:00'])
  })
})

describe('tools/random', () => {
  it('gives the same numbers for the same seed', () => {
    const [a, b, c] = [createRandom(7), createRandom(7), createRandom(8)]
    const first = [a(), a(), a()]
    assert.deepEqual([b(), b(), b()], first)
    assert.notEqual(c(), first[0])
    assert.ok(first.every((number) => number >= 0 && number < 1))
  })

  it('shuffles without losing anything, into every order', () => {
    const random = createRandom(1)
    const orders = new Set()
    for (let i = 0; i < 100; i++) orders.add(shuffle([1, 2, 3], random).join(''))
    assert.deepEqual([...orders].sort(), ['123', '132', '213', '231', '312', '321'])
    assert.ok(['a', 'b'].includes(pick(['a', 'b'], random)))
  })
})

describe('tools/cpu-affinity', () => {
  it('reads lists of cores', () => {
    assert.deepEqual(parseCores(' 0-2,5\n'), [0, 1, 2, 5])
  })
})
