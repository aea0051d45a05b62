'use strict'

// All tests of `npm run test:unit`, for commands that run them in their own way.

const path = require('node:path')
const { scripts } = require('../package.json')

const MOCHA = path.join(__dirname, '../node_modules/mocha/bin/mocha.js')
/** Arguments of mocha, which expands the patterns itself: the script quotes them for the shell. */
const SUITE = scripts['test:unit'].replaceAll("'", '').split(' ').slice(1)

module.exports = { MOCHA, SUITE }
