'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { assertContainer, createJsonParse, findFirstToken, opensContainer } = require('../../../lib/formats/json/parse')

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

  const failingParse = (error) => createJsonParse(() => { throw error })

  it('keeps the error of the engine, its class and its frames, without further properties', () => {
    const error = Object.assign(new RangeError('the $& message'), { code: 'E', name: 'Own' })
    const { stack } = error
    assert.throws(() => failingParse(error)('[]'), (thrown) => thrown === error)
    assert.deepEqual([error.message, error.name, error.constructor], ['the $& message', 'RangeError', RangeError])
    assert.equal(error.stack, stack)
    assert.deepEqual(Object.getOwnPropertyNames(error).sort(), ['message', 'stack'])
  })

  it('gives a SyntaxError a stack where the engine has not', () => {
    const error = Object.assign(new SyntaxError('the message'), { stack: undefined })
    assert.throws(() => failingParse(error)('[]'), { message: 'the message', stack: 'SyntaxError: the message' })
  })
})
