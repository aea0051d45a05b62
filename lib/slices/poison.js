'use strict'

// Poisoned keys (options onProtoPoisoning, onConstructorPoisoning): the rules
// of secure-json-parse, which everything else here goes by, in turns.

const { Stack } = require('./spine')

const SUSPICIOUS = /__proto__|constructor|\\u/ // an escape may stand for any letter of these

const OFTEN = 1024 // keys; looking at the clock takes longer than looking at one

class PoisonControl {
  /**
   * @param {'error' | 'remove' | 'ignore'} protoAction
   * @param {'error' | 'remove' | 'ignore'} constructorAction
   */
  constructor (protoAction, constructorAction) {
    this.protoAction = protoAction
    this.constructorAction = constructorAction
    this.isSuspicious = false
    this.inspect = (text) => { this.isSuspicious ||= SUSPICIOUS.test(text) }
  }

  /**
   * @param {any} value of which all texts were inspected
   * @param {import('./turns')} turns
   * @throws {SyntaxError} like secure-json-parse
   */
  async clean (value, turns) {
    if (!this.isSuspicious) return
    const nodes = new Stack()
    if (isObject(value)) nodes.push(value)
    let count = 0
    while (!nodes.isEmpty) {
      const node = nodes.pop()
      this.cleanNode(node)
      for (const key in node) {
        if (isObject(node[key])) nodes.push(node[key])
        if (++count % OFTEN === 0 && turns.isOver) await turns.next()
      }
    }
  }

  cleanNode (node) {
    if (this.protoAction !== 'ignore' && Object.hasOwn(node, '__proto__')) remove(node, '__proto__', this.protoAction)
    if (this.constructorAction !== 'ignore' && hasPrototype(node)) remove(node, 'constructor', this.constructorAction)
  }
}

function hasPrototype (node) {
  return Object.hasOwn(node, 'constructor') && isObject(node.constructor) && Object.hasOwn(node.constructor, 'prototype')
}

function isObject (value) {
  return typeof value === 'object' && value !== null
}

function remove (node, key, action) {
  if (action === 'error') throw new SyntaxError('Object contains forbidden prototype property')
  delete node[key]
}

module.exports = PoisonControl
