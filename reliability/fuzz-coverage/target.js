'use strict'

// What a target is, and the list of all.

const fs = require('node:fs')
const path = require('node:path')

/**
 * @typedef {object} Target
 * @property {string[]} words that are likely to have a meaning; of Latin-1
 *   characters, each a byte
 * @property {string[]} seeds first inputs, likewise
 * @property {number} longest bytes of an input
 * @property {(bytes: Buffer) => void | Promise<void>} run throws, or is
 *   rejected, if a result is wrong
 */

const FOLDER = path.join(__dirname, 'targets')

/** Names of all targets. */
const names = fs.readdirSync(FOLDER).map((file) => path.basename(file, '.js')).sort()

/** @param {string} name @returns {string} its file */
function fileOf (name) {
  return path.join(FOLDER, `${name}.js`)
}

module.exports = { fileOf, names }
