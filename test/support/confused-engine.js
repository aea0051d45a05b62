'use strict'

// An engine that confuses keys, on every version of Node: whoever shows its
// JSON.parse a key with an escape gets a wrong value.

const path = require('node:path')
const { hasEscapedName } = require('./json-reference')
const within = require('./within')

const LIB = path.join(__dirname, '../../lib')
const WRONG = { wrong: true }

/** Loads a file of lib/ in such an engine, beside the copy that others have, and calls `use` with its exports. */
async function inConfusedEngine (name, use) {
  const { parse } = JSON
  const loaded = Object.entries(require.cache).filter(([file]) => file.startsWith(LIB))
  for (const [file] of loaded) delete require.cache[file]
  const confused = (text, reviver) => {
    const value = parse(text, reviver) // throws if it is not JSON
    return hasEscapedName(text) ? WRONG : value
  }
  try {
    return await within(JSON, { parse: confused }, () => use(require(path.join(LIB, name))))
  } finally {
    for (const file of Object.keys(require.cache)) if (file.startsWith(LIB)) delete require.cache[file]
    Object.assign(require.cache, Object.fromEntries(loaded))
  }
}

module.exports = inConfusedEngine
