'use strict'

// Instruments lib/ while it is loaded, and nothing else.

const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { createInstrumenter } = require('istanbul-lib-instrument')
const createCounters = require('./counters')

const LIB = path.join(__dirname, '..', '..', 'lib', path.sep)
const VARIABLE = '__passed__'

/**
 * What is required from now on in this thread.
 *
 * @param {import('./plant').Plant} [plant] a fault to put into the code
 * @returns {ReturnType<typeof createCounters>}
 */
function instrument (plant) {
  const counters = createCounters(VARIABLE)
  const instrumenter = createInstrumenter({ coverageVariable: VARIABLE, esModules: false })
  const load = Module._extensions['.js']

  Module._extensions['.js'] = (module, file) => {
    if (!file.startsWith(LIB)) return load(module, file)
    const source = fs.readFileSync(file, 'utf8')
    // Under another name, as it is another text: who measures the coverage of
    // tests would take its places for those of the file.
    module._compile(instrumenter.instrumentSync(planted(source, file, plant), file), `${file}#`)
  }
  return counters
}

function planted (source, file, plant) {
  if (plant === undefined || path.relative(LIB, file) !== plant.file) return source
  if (source.split(plant.from).length !== 2) throw new Error(`lib/${plant.file} does not have ${JSON.stringify(plant.from)} once`)
  return source.replace(plant.from, () => plant.to)
}

module.exports = instrument
