'use strict'

const { measureCold } = require('../measure/cold')
const { footprint } = require('../measure/footprint')
const measureMemory = require('../servers/memory')
const measureRow = require('./measure-row')
const sections = require('./sections')

const INSTALLED = sections.work.competitors.filter((one) => one.package !== undefined)

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {(results: object, settings: object) => void | Promise<void>} run
 *   measures, and adds the outcome to `results`
 */

/**
 * All that can be measured and has the filter in its name.
 *
 * @param {string} filter
 * @returns {Step[]}
 */
function plan (filter) {
  const steps = []
  for (const [section, { rows }] of Object.entries(sections)) {
    for (const row of rows) steps.push({ name: row.name, run: rowStep(section, row) })
  }
  steps.push({ name: 'cold start', run: (results, settings) => { results.cold = measureCold(settings) } })
  for (const competitor of sections.work.competitors) {
    steps.push({ name: `memory, ${competitor.name}`, run: memoryStep(competitor) })
  }
  for (const competitor of INSTALLED) {
    steps.push({ name: `footprint, ${competitor.name}`, run: footprintStep(competitor) })
  }
  return steps.filter(({ name }) => name.includes(filter))
}

function rowStep (section, row) {
  return async (results, settings) => {
    results.rows ??= []
    results.rows.push(await measureRow(section, row, settings))
  }
}

function memoryStep (competitor) {
  return async (results, settings) => {
    results.memory ??= {}
    results.memory[competitor.name] = await measureMemory(competitor, settings)
  }
}

function footprintStep (competitor) {
  return (results) => {
    results.footprint ??= {}
    results.footprint[competitor.name] = footprint(competitor.package)
  }
}

module.exports = plan
