'use strict'

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const openDescriptors = require('../../tools/open-descriptors')

/** A folder of its own for each test of the `describe` that calls this; it is gone after the test. */
module.exports = function useFolder () {
  let folder
  beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fast-body-parser-')) })
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))
  const at = (...names) => path.join(folder, ...names)
  const names = (...below) => fs.readdirSync(at(...below)).sort()
  return {
    at,
    names,
    read: (...names) => fs.readFileSync(at(...names), 'utf8'),
    /** How many of its files are open. */
    countOpen: () => openDescriptors().filter((target) => target.startsWith(folder)).length,
    /** Waits until only so many files are left. */
    async emptied (below = '', count = 0) {
      while (names(below).length > count) await delay(1)
    }
  }
}
