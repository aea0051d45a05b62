'use strict'

/**
 * Whether two values of JSON cannot be told apart: the same types, prototypes,
 * names in their order, what kind of properties they are, and -0.
 */
function isSame (one, other) {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other) ||
    Array.isArray(one) !== Array.isArray(other)) return false
  const names = Reflect.ownKeys(one)
  const others = Reflect.ownKeys(other)
  return names.length === others.length &&
    names.every((name, index) => name === others[index] && isSameProperty(one, other, name))
}

const isObject = (value) => typeof value === 'object' && value !== null

function isSameProperty (one, other, name) {
  const { value: mine, ...myKind } = Object.getOwnPropertyDescriptor(one, name)
  const { value: yours, ...yourKind } = Object.getOwnPropertyDescriptor(other, name)
  const flags = ['writable', 'enumerable', 'configurable']
  return flags.every((flag) => myKind[flag] === yourKind[flag]) && isSame(mine, yours)
}

module.exports = isSame
