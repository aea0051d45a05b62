'use strict'

// mocha without its command line, whose options not every runtime can read:
// mocha.cjs REPORT FILE...

const path = require('node:path')
const found = require('mocha')

const TEST_TIME = 5000 // ms; most tests that a runtime cannot pass wait for something until then
const FILE_TIME = 60_000 // ms; what has run until then is reported

const [output, ...files] = process.argv.slice(2)
const Mocha = found.default ?? found // Bun gives the ES module
const mocha = new Mocha({ timeout: TEST_TIME, reporter: 'json', reporterOption: { output } })
for (const file of files) mocha.addFile(path.resolve(file))
const runner = mocha.run(() => process.exit())
setTimeout(() => runner.abort(), FILE_TIME).unref()
