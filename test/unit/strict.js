'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const restate = require('../../lib/restate')
const { opensContainer, rejectToken } = require('../../lib/strict')

const text = fc.array(fc.constantFrom(' ', '\n', '\r', '\t', '{', '[', '"', 'a', '1', '\u00a0', '\f', '\ufeff', '\udfff', '\uffff', ''), { maxLength: 12 }).map((parts) => parts.join(''))

describe('strict', () => {
  it('looks for the first character that is not blank in JSON', () => {
    fc.assert(fc.property(text, (text) => {
      assert.equal(opensContainer(text), /^[ \n\r\t]*[[{]/.test(text))
    }))
  })

  it('rejects any text but blanks, as the engine does', () => {
    fc.assert(fc.property(text, (text) => {
      fc.pre(!opensContainer(text))
      if (/^[ \n\r\t]*$/.test(text)) rejectToken(text)
      else assert.throws(() => rejectToken(text), { name: 'SyntaxError' })
    }))
  })

  it('says what the engine says of a token that no JSON begins with', () => {
    for (const text of ['  #', "'a'", '\n\n=1', 'a']) {
      let message
      try {
        JSON.parse(text)
      } catch (error) {
        message = error.message
      }
      assert.match(message, /token/)
      assert.throws(() => rejectToken(text), { message })
    }
  })
})

describe('restate', () => {
  it('keeps the error, its class and its frames, with another message', () => {
    const error = Object.assign(new RangeError('old $& message'), { code: 'E', name: 'Own' })
    const { stack } = error
    assert.equal(restate(error, 'new $& message'), error)
    assert.deepEqual([error.message, error.name, error.constructor], ['new $& message', 'RangeError', RangeError])
    assert.equal(error.stack, stack.replace('old', 'new'))
    assert.deepEqual(Object.getOwnPropertyNames(error).sort(), ['message', 'stack'])
  })

  it('gives a syntax error a stack if the engine has not', () => {
    const error = Object.assign(new SyntaxError('old message'), { stack: undefined })
    assert.equal(restate(error, 'new message').stack, 'SyntaxError: new message')
    assert.equal(error.message, 'new message')
  })
})
