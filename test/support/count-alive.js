'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const collectGarbage = require('./collect-garbage')

/** How many of what these WeakRefs refer to are still in use. */
module.exports = async function countAlive (references) {
  await delay(20) // a WeakRef keeps what it refers to until its turn has ended
  collectGarbage()
  return references.filter((reference) => reference.deref() !== undefined).length
}
