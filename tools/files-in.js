'use strict'

const fs = require('node:fs')
const path = require('node:path')

/** Paths from a folder: `readdirSync` with `recursive` gives folders as well, and nothing of them on Node.js 20.0. */
module.exports = function filesIn (folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name]
    return filesIn(path.join(folder, entry.name)).map((name) => path.join(entry.name, name))
  })
}
