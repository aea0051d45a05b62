'use strict'

// For `mocha --require`: loads tests, package and dependencies in a context of
// node:vm, as Jest does, while modules of Node.js and `Buffer` stay outside: no
// Buffer is an instance of the `Uint8Array` there, and no error of Node.js one
// of its `Error`.

const Module = require('node:module')
const path = require('node:path')
const vm = require('node:vm')

const OUTSIDE = `${path.sep}node_modules${path.sep}mocha${path.sep}`
const OF_MOCHA = ['after', 'afterEach', 'before', 'beforeEach', 'describe', 'it']

const context = vm.createContext()
const ofLanguage = new Set(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context))
for (const name of [...Object.getOwnPropertyNames(globalThis), ...OF_MOCHA]) {
  if (ofLanguage.has(name) || name === 'global') continue
  Object.defineProperty(context, name, {
    configurable: true,
    get: () => globalThis[name],
    set (value) { globalThis[name] = value }
  })
}
context.global = vm.runInContext('globalThis', context)

const compileOutside = Module.prototype._compile
Module.prototype._compile = function (content, filename, ...rest) {
  const isOutside = filename.includes(OUTSIDE) || rest.includes('module') // one of `import`
  if (isOutside) return compileOutside.call(this, content, filename, ...rest)
  const names = ['exports', 'require', 'module', '__filename', '__dirname']
  const run = vm.compileFunction(content, names, { filename, parsingContext: context })
  const require = Module.createRequire(filename)
  Reflect.apply(run, this.exports, [this.exports, require, this, filename, path.dirname(filename)])
}
