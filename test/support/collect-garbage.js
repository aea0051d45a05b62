'use strict'

const v8 = require('node:v8')
const vm = require('node:vm')

/** In a process that was started without --expose-gc as well. */
module.exports = function collectGarbage () {
  v8.setFlagsFromString('--expose-gc')
  vm.runInNewContext('gc')()
}
