'use strict'

// JSON.parse with the checks that options ask for: depth and poisoned keys.

const errors = require('../core/errors')
const { preload } = require('../core/lazy')
const { loadSyntaxError } = require('./strict')

/**
 * @param {object} [options] of `json`
 * @returns {(text: string) => unknown} throws the engine's SyntaxError, or 400
 *   `entity.too.deep`
 */
function createJsonParse (options) {
  preload(loadSyntaxError)
  const parseText = createGuardedParse(options)
  const depth = readDepth(options)
  const parse = (text) => {
    if (text === '') return {}
    try {
      return parseText(text)
    } catch (error) {
      throw loadSyntaxError().withMessage(error, error.message)
    }
  }
  return depth === Infinity ? parse : limitDepth(parse, depth)
}

const BYTE_ORDER_MARK = '\uFEFF'

function createGuardedParse (options) {
  const reviver = readReviver(options)
  const { protoAction, constructorAction } = readPoisoning(options)
  if (protoAction !== 'ignore' || constructorAction !== 'ignore') {
    // What a reviver makes, such as a cycle or a Map, cannot be searched.
    if (reviver !== undefined) throw new TypeError('option reviver cannot be combined with onProtoPoisoning or onConstructorPoisoning')
    const { parse } = require('secure-json-parse')
    // It removes a byte order mark; the one that may be there is removed already.
    return (text) => text.startsWith(BYTE_ORDER_MARK) ? JSON.parse(text) : parse(text, undefined, { protoAction, constructorAction })
  }
  return reviver === undefined ? (text) => JSON.parse(text) : (text) => JSON.parse(text, reviver)
}

/** Like JSON.parse, ignores what is not a function. */
function readReviver (options) {
  const reviver = options?.reviver
  return typeof reviver === 'function' ? reviver : undefined
}

/** @returns {number} the deepest nesting that is allowed */
function readDepth (options) {
  const depth = options?.depth ?? Infinity
  if (typeof depth !== 'number' || !(depth >= 0)) throw new TypeError('option depth must be a zero or a positive number')
  return depth
}

function readPoisoning (options) {
  return {
    protoAction: readAction(options, 'onProtoPoisoning'),
    constructorAction: readAction(options, 'onConstructorPoisoning')
  }
}

const ACTIONS = ['error', 'remove', 'ignore']

function readAction (options, name) {
  const action = options?.[name] ?? 'ignore'
  if (!ACTIONS.includes(action)) throw new TypeError(`option ${name} must be one of 'error', 'remove' and 'ignore'`)
  return action
}

function limitDepth (parse, depth) {
  const isDeeperThan = require('./max-depth')
  return (text) => {
    if (isDeeperThan(text, depth)) throw errors.nestedTooDeep(depth)
    return parse(text)
  }
}

module.exports = { createJsonParse, readDepth, readPoisoning, readReviver }
