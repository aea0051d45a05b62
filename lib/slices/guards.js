'use strict'

// Looks for poisoned keys: secure-json-parse does in what JSON.parse makes, and
// says what is to be done about those that a SliceParser puts together.

const { Refusal } = require('./parser')

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * @param {'error' | 'remove' | 'ignore'} protoAction
 * @param {'error' | 'remove' | 'ignore'} constructorAction
 * @returns {{ parse?: (text: string) => any, admits?: (key: string, value: any) => boolean }}
 */
function createGuards (protoAction, constructorAction) {
  if (protoAction === 'ignore' && constructorAction === 'ignore') return {}
  const secure = require('secure-json-parse')
  const actions = { protoAction, constructorAction }

  function parse (text) {
    if (text.startsWith(BYTE_ORDER_MARK)) return JSON.parse(text) // secure-json-parse would take it off
    try {
      return secure.parse(text, undefined, actions)
    } catch (error) {
      JSON.parse(text) // throws what it has to say about this text
      throw new Refusal(error)
    }
  }

  function admits (key, value) {
    if (key === '__proto__') return Object.hasOwn(parse('{"__proto__":0}'), key)
    if (key !== 'constructor' || !hasPrototype(value)) return true
    return Object.hasOwn(parse('{"constructor":{"prototype":0}}'), key)
  }

  return { parse, admits }
}

function hasPrototype (value) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

module.exports = createGuards
