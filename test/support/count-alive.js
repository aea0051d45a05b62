'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const collectGarbage = require('./collect-garbage')

/**
 * @param {WeakRef<object>[]} references
 * @returns {Promise<number>} how many of what they refer to is still in use
 */
module.exports = async function countAlive (references) {
  await delay(20) // a WeakRef keeps what it refers to until its turn has ended
  collectGarbage()
  return references.filter((reference) => reference.deref() !== undefined).length
}
