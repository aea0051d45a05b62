'use strict'

const assert = require('node:assert/strict')
const { assertContainer, createJsonParse } = require('../../../lib/formats/json/parse')

describe('json/parse', () => {
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
