'use strict'

const assert = require('node:assert/strict')
const { unusedCharacter, withMessage } = require('../../lib/json/syntax-error')

describe('syntax-error', () => {
  it('finds a character that the text lacks, and never a lone surrogate', () => {
    assert.equal(unusedCharacter('abc'), '\u009f')
    assert.equal(unusedCharacter('\u009f\u009e'), '\u009d')
    const controls = String.fromCharCode(...Array.from({ length: 33 }, (_, index) => 0x7F + index))
    assert.equal(unusedCharacter(controls), '\uffff')
    assert.equal(unusedCharacter(`${controls}\uffff`), '\ufffe')
  })

  it('keeps the error, its class and its frames, with another message', () => {
    const error = Object.assign(new RangeError('old $& message'), { code: 'E', name: 'Own' })
    const { stack } = error
    assert.equal(withMessage(error, 'new $& message'), error)
    assert.deepEqual([error.message, error.name, error.constructor], ['new $& message', 'RangeError', RangeError])
    assert.equal(error.stack, stack.replace('old', 'new'))
    assert.deepEqual(Object.getOwnPropertyNames(error).sort(), ['message', 'stack'])
  })

  it('gives a SyntaxError a stack where the engine has not', () => {
    const error = Object.assign(new SyntaxError('old message'), { stack: undefined })
    assert.equal(withMessage(error, 'new message').stack, 'SyntaxError: new message')
    assert.equal(error.message, 'new message')
  })
})
