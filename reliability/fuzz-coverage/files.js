'use strict'

// Inputs on disk: those that reached something new, kept between runs, and
// findings.

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

/** @param {string} folder @returns {Buffer[]} short ones first */
function readInputs (folder) {
  if (!fs.existsSync(folder)) return []
  return fs.readdirSync(folder).sort()
    .map((name) => fs.readFileSync(path.join(folder, name)))
    .sort((one, other) => one.length - other.length)
}

/**
 * @param {string} folder
 * @param {string} prefix of the file's name
 * @param {Buffer} bytes
 * @returns {string} the file
 */
function writeInput (folder, prefix, bytes) {
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${prefix}${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`)
  fs.writeFileSync(file, bytes)
  return file
}

module.exports = { readInputs, writeInput }
