'use strict'

const fs = require('node:fs')
const path = require('node:path')
const defaults = require('./defaults')
const Failure = require('./failure')
const { writeWhole } = require('./temporary')

/**
 * Where the files of a run go.
 *
 * @param {string | null} output path of the main file
 * @returns {{ main: string, a: string, b: string, report: string }}
 */
function outputPaths (output) {
  const main = output ?? path.join(defaults.results, `${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
  if (output === null) fs.mkdirSync(path.dirname(main), { recursive: true })
  const stem = main.slice(0, -'.json'.length)
  return { main, a: `${stem}.a.json`, b: `${stem}.b.json`, report: `${stem}.html` }
}

/**
 * Makes room for files that are written later: nobody wants to learn after half
 * an hour that a folder is missing, nor to take yesterday's file for today's.
 *
 * @param {string[]} files
 * @throws {Failure} if one of them cannot be written
 */
function makeRoom (files) {
  for (const file of files) {
    try {
      writeWhole(file, '')
      fs.rmSync(file)
    } catch (error) {
      throw new Failure(`cannot write ${file}: ${error.message}`)
    }
  }
}

/** @returns {string} a value as it stands in a file */
function toText (value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * @param {string} file
 * @param {string} format what its `format` must say
 */
function readJson (file, format) {
  let value
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${error.message}`)
  }
  if (value?.format !== format) throw new Failure(`${file} is no file of the format ${format}`)
  return value
}

module.exports = { outputPaths, makeRoom, toText, readJson }
