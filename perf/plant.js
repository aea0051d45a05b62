'use strict'

// A loop in a function of a copy of a target's packages.

const fs = require('node:fs')
const path = require('node:path')
const { temporaryFolder } = require('../tools/atomic-write')
const UserError = require('../tools/user-error')

/**
 * Where a loop may be, in functions that each request calls once: a file of the installed packages, the text that code
 * is added to, and a name in profiles.
 */
const PLACES = {
  "json's middleware": {
    file: 'body-parser/lib/types/json.js',
    edits: (loop) => ({ 'function jsonParser (req, res, next) {': loop }),
    name: 'body-parser: jsonParser'
  },
  "a dependency's function": {
    file: 'finalhandler/index.js',
    edits: (loop) => ({ 'function finalhandler (req, res, options) {': loop }),
    name: 'finalhandler: finalhandler'
  },
  'a getter': {
    file: 'body-parser/lib/core/body/exchange.js',
    edits: (loop) => ({
      'class Exchange extends AsyncResource {': `get planted () { ${loop} }`,
      "super('BodyParser')": '; void this.planted'
    }),
    name: 'body-parser: get planted'
  }
}

const loopOf = (turns) =>
  `let sum = 1; for (let i = 0; i < ${turns}; i++) sum = sum * 31 ^ i; if (sum === 0.5) throw sum`

/**
 * @param {keyof PLACES} place
 * @param {number} turns of the loop
 * @param {string} folder with the packages of an app
 * @returns {string} a copy of the folder with the loop in one function, which is removed when this process exits
 */
function copyWith (place, turns, folder) {
  const { file, edits } = PLACES[place]
  const copy = temporaryFolder(path.join(path.dirname(folder), 'planted'))
  fs.cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  const planted = path.join(copy, 'node_modules', file)
  let text = fs.readFileSync(planted, 'utf8')
  for (const [before, code] of Object.entries(edits(loopOf(turns)))) {
    if (!text.includes(before)) throw new UserError(`${file} has no ${JSON.stringify(before)}`)
    text = text.replace(before, (found) => `${found} ${code}`)
  }
  fs.writeFileSync(planted, text)
  return fs.realpathSync(copy)
}

module.exports = { PLACES, copyWith, loopOf }
