'use strict'

// Options onProtoPoisoning and onConstructorPoisoning. The rules are those of
// secure-json-parse, which parses everything that is not parsed in slices.

// A `\u` escape may stand for any letter of the two names.
const SUSPICIOUS = /__proto__|constructor|\\u/

const KEYS_PER_CLOCK_CHECK = 1024 // reading the clock takes longer than looking at a key

/** Finds poisoned keys in one value; each option is 'error', 'remove' or 'ignore'. */
class PrototypePoisoning {
  constructor ({ onProtoPoisoning = 'ignore', onConstructorPoisoning = 'ignore' }) {
    this.protoAction = onProtoPoisoning
    this.constructorAction = onConstructorPoisoning
    this.isSuspicious = false
    const isOff = onProtoPoisoning === 'ignore' && onConstructorPoisoning === 'ignore'
    this.inspect = isOff ? () => {} : (text) => { this.isSuspicious ||= SUSPICIOUS.test(text) }
  }

  /**
   * Looks at all keys of a value, unless none of its texts could be a poisoned key.
   *
   * @param {any} value whose texts have all been given to `inspect`
   * @param {import('./scheduler')} task
   * @throws {SyntaxError} the message is that of secure-json-parse
   */
  async clean (value, task) {
    if (!this.isSuspicious || !isObject(value)) return
    let nodes = { node: value, rest: null } // a linked list: an array would be copied whenever it grows
    let keys = 0
    while (nodes !== null) {
      const { node } = nodes
      nodes = nodes.rest
      this.cleanNode(node)
      for (const key in node) {
        if (isObject(node[key])) nodes = { node: node[key], rest: nodes }
        if (++keys % KEYS_PER_CLOCK_CHECK === 0) await task.pause()
      }
    }
  }

  cleanNode (node) {
    if (Object.hasOwn(node, '__proto__')) applyAction(node, '__proto__', this.protoAction)
    if (hasPrototype(node)) applyAction(node, 'constructor', this.constructorAction)
  }
}

function hasPrototype (node) {
  if (!Object.hasOwn(node, 'constructor')) return false
  return isObject(node.constructor) && Object.hasOwn(node.constructor, 'prototype')
}

function isObject (value) {
  return typeof value === 'object' && value !== null
}

function applyAction (node, key, action) {
  if (action === 'error') throw new SyntaxError('Object contains forbidden prototype property')
  if (action === 'remove') delete node[key]
}

module.exports = PrototypePoisoning
