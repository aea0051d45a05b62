'use strict'

// mocha without its command line, whose options not every runtime can read:
// mocha.cjs REPORT FILE...

const path = require('node:path')
const found = require('mocha')

const [output, ...files] = process.argv.slice(2)
const Mocha = found.default ?? found // Bun gives the ES module
const mocha = new Mocha({ timeout: 10_000, reporter: 'json', reporterOption: { output } })
for (const file of files) mocha.addFile(path.resolve(file))
mocha.run(() => process.exit())
