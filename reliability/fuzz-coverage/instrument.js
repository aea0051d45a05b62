'use strict'

// Instruments the modules of lib/ when they are loaded.

const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { createInstrumenter } = require('istanbul-lib-instrument')
const createCounters = require('./counters')

const LIB = path.join(__dirname, '..', '..', 'lib', path.sep)
const VARIABLE = '__reached__'

/**
 * Instruments what is required from now on in this thread.
 *
 * @param {import('./faults').Fault} [fault] to inject into the code
 * @returns {ReturnType<typeof createCounters>}
 */
function instrument (fault) {
  const counters = createCounters(VARIABLE)
  const instrumenter = createInstrumenter({ coverageVariable: VARIABLE, esModules: false })
  const load = Module._extensions['.js']

  Module._extensions['.js'] = (module, file) => {
    if (!file.startsWith(LIB)) return load(module, file)
    const source = fs.readFileSync(file, 'utf8')
    // Under another name, because it is another text: coverage of tests would be
    // reported for the wrong lines otherwise.
    module._compile(instrumenter.instrumentSync(withFault(source, file, fault), file), `${file}#`)
  }
  return counters
}

function withFault (source, file, fault) {
  if (fault === undefined || path.relative(LIB, file) !== fault.file) return source
  if (source.split(fault.from).length !== 2) throw new Error(`lib/${fault.file} does not have ${JSON.stringify(fault.from)} once`)
  return source.replace(fault.from, () => fault.to)
}

module.exports = instrument
