'use strict'

const fs = require('node:fs')
const path = require('node:path')
const defaults = require('../defaults')

/**
 * The files of a run.
 *
 * @param {string | null} output path of the main file
 * @returns {{ main: string, a: string, b: string, report: string }}
 */
module.exports = function outputPaths (output) {
  const main = output ?? path.join(defaults.output, `${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
  if (output === null) fs.mkdirSync(path.dirname(main), { recursive: true })
  const stem = main.slice(0, -'.json'.length)
  return { main, a: `${stem}.a.json`, b: `${stem}.b.json`, report: `${stem}.html` }
}
