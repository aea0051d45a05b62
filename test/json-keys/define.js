'use strict'

const assert = require('node:assert/strict')
const define = require('../../lib/json-keys/define')

describe('a key of JSON becomes an own property', () => {
  const setter = { set (object, key, value) { assert.fail('a setter was called') } }
  const PROTOTYPES = [
    ['an ordinary key', Object.prototype, 'a'],
    ['__proto__', Object.prototype, '__proto__'],
    ['a method of Object.prototype', Object.prototype, 'toString'],
    ['a key that is read-only in the prototype', Object.freeze({ a: 1 }), 'a'],
    ['a key with a setter in the prototype', Object.create(null, { a: setter }), 'a']
  ]
  for (const [what, prototype, key] of PROTOTYPES) {
    it(`as JSON.parse makes it: ${what}`, () => {
      const object = Object.create(prototype)
      define(object, key, 5)
      assert.deepEqual(Object.getOwnPropertyDescriptor(object, key),
        { value: 5, writable: true, enumerable: true, configurable: true })
      assert.equal(Object.getPrototypeOf(object), prototype)
    })
  }
})
