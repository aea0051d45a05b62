'use strict'

// Modules that nobody has used yet. What the modules of this package keep is listed
// in docs/architecture.md ("Module-level state"); what all of its copies in a process
// share is in a table of the process.

const path = require('node:path')

const ROOT = path.join(__dirname, '../..') + path.sep
const SHARED = ['node_modules', 'tools'].map((folder) => path.join(ROOT, folder) + path.sep)
const MARKS = Symbol.for('fast-body-parser.marks.1') // lib/core/shared-tables.js

const isOwn = (file) => file.startsWith(ROOT) && !SHARED.some((folder) => file.startsWith(folder))

/** Whoever loads a module of this package or of test/ from now on gets another one, but for those that are kept. */
function forgetModules (kept = new Set()) {
  for (const file of Object.keys(require.cache)) if (isOwn(file) && !kept.has(file)) delete require.cache[file]
  delete process[MARKS]
}

/** Calls `act`, which is synchronous, for which nobody has used any module. Parsers load some when they are made. */
function withOwnModules (act) {
  const modules = Object.entries(require.cache).filter(([file]) => isOwn(file))
  const { [MARKS]: sharedTables } = process
  forgetModules()
  try {
    return act()
  } finally {
    forgetModules()
    for (const [file, module] of modules) require.cache[file] = module
    if (sharedTables !== undefined) Object.defineProperty(process, MARKS, { configurable: true, value: sharedTables })
  }
}

module.exports = { forgetModules, withOwnModules }
