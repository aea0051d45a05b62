'use strict'

// What json parses with instead of plain JSON.parse: options `parse`, `depth`,
// `onProtoPoisoning` and `onConstructorPoisoning`.

const errors = require('../core/errors')
const { assertExclusive, readFunction, readLevels } = require('../core/options')
const { createParse, readReviver } = require('../json/parse')
const { createParse: createEngineParse } = require('../platform/json')
const isDeeperThan = require('./max-depth')

const ACTIONS = ['error', 'remove', 'ignore']
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * @param {object} options of `json`
 * @returns {{ parse: (text: string, charset: string, req: object) => unknown, isAsync: boolean }}
 * @throws {TypeError} for an option that is wrong, or cannot be combined with another
 */
function extendParse (options) {
  const ownParse = readFunction(options, 'parse')
  if (ownParse === undefined) return { parse: createGuardedParse(options), isAsync: false }
  assertExclusive(options, 'parse', ['depth', 'onProtoPoisoning', 'onConstructorPoisoning']) // it does not know them
  const reviver = readReviver(options)
  return {
    parse: (text, charset, req, source) => text === '' ? {} : ownParse(text, { charset, reviver, req, get signal () { return source.signal } }),
    isAsync: true
  }
}

function createGuardedParse (options) {
  const actions = readPoisoning(options)
  const depth = readLevels('depth', options.depth)
  const guardsKeys = Object.values(actions).some((action) => action !== 'ignore')
  // What a reviver makes, such as a cycle or a Map, cannot be searched.
  if (guardsKeys && readReviver(options) !== undefined) {
    throw new TypeError('option reviver cannot be combined with onProtoPoisoning or onConstructorPoisoning')
  }
  const parse = createParse(options, guardsKeys ? keyGuard(actions) : undefined)
  if (depth === Infinity) return parse
  return (text) => {
    if (isDeeperThan(text, depth)) throw errors.nestedTooDeep(depth)
    return parse(text)
  }
}

function keyGuard (actions) {
  const { parse } = require('secure-json-parse')
  // It removes a byte order mark; the one that may be there is removed already.
  return createEngineParse((text) => text.startsWith(BYTE_ORDER_MARK) ? JSON.parse(text) : parse(text, undefined, actions))
}

/** @returns {{ protoAction: string, constructorAction: string }} */
function readPoisoning (options) {
  return {
    protoAction: readAction(options, 'onProtoPoisoning'),
    constructorAction: readAction(options, 'onConstructorPoisoning')
  }
}

function readAction (options, name) {
  const action = options[name] ?? 'ignore'
  if (!ACTIONS.includes(action)) throw new TypeError(`option ${name} must be one of 'error', 'remove' and 'ignore'`)
  return action
}

module.exports = extendParse
module.exports.readPoisoning = readPoisoning
