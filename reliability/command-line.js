'use strict'

const { parseArgs } = require('node:util')

/**
 * @param {string[]} args the command line
 * @param {object} options those of `parseArgs`
 * @returns {object} their values
 * @throws {Error} telling in one line what is wrong
 */
function parseOptions (args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values
  } catch (error) {
    throw new Error(`${error.message.split('. ')[0]}; --help tells what there is`)
  }
}

module.exports = parseOptions
