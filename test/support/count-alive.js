'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const v8 = require('node:v8')
const vm = require('node:vm')

/** How many of what these WeakRefs refer to are still in use, in a process that was started without --expose-gc. */
module.exports = async function countAlive (references) {
  await delay(20) // a WeakRef keeps what it refers to until its turn has ended
  v8.setFlagsFromString('--expose-gc')
  vm.runInNewContext('gc')()
  return references.filter((reference) => reference.deref() !== undefined).length
}
