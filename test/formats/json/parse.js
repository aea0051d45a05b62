'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { assertContainer, findFirstToken, opensContainer, withMessage } = require('../../../lib/formats/json/parse')

const text = fc.array(
  fc.constantFrom(' ', '\n', '\r', '\t', '{', '[', '"', 'a', '1', '\u00a0', '\f', '\ufeff', '\udfff', '\uffff', ''),
  { maxLength: 12 }
).map((parts) => parts.join(''))

describe('json/parse', () => {
  it("finds the first character that is not JSON's white space", () => {
    fc.assert(fc.property(text, (text) => {
      assert.equal(findFirstToken(text), /^[ \n\r\t]*/.exec(text)[0].length)
      assert.equal(opensContainer(text), /^[ \n\r\t]*[[{]/.test(text))
    }))
  })

  it('rejects any text but white space, arrays and objects with a SyntaxError', () => {
    fc.assert(fc.property(text, (text) => {
      if (/^[ \n\r\t]*$/.test(text) || opensContainer(text)) assertContainer(text)
      else assert.throws(() => assertContainer(text), { name: 'SyntaxError' })
    }))
  })

  it("has the engine's own message for a token that no JSON begins with", () => {
    for (const text of ['  #', "'a'", '\n\n=1', 'a']) {
      let message
      try {
        JSON.parse(text)
      } catch (error) {
        message = error.message
      }
      assert.match(message, /token/)
      assert.throws(() => assertContainer(text), { message })
    }
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
