'use strict'

// What a target is, and which there are.

const fs = require('node:fs')
const path = require('node:path')

/**
 * @typedef {object} Target
 * @property {string[]} words likely to mean something; of Latin-1 characters,
 *   each a byte
 * @property {string[]} seeds first inputs, likewise
 * @property {number} longest bytes of an input
 * @property {(bytes: Buffer) => void | Promise<void>} run throws, or is
 *   rejected, if something is wrong
 */

const FOLDER = path.join(__dirname, 'targets')

/** Names of all targets. */
const names = fs.readdirSync(FOLDER).map((file) => path.basename(file, '.js')).sort()

/** @param {string} name @returns {string} its file */
function fileOf (name) {
  return path.join(FOLDER, `${name}.js`)
}

module.exports = { fileOf, names }
