'use strict'

const path = require('node:path')
const parseOptions = require('../command-line')

const HELP = `npm run hostile -- [options]

Sends attacks to a server with this package's parsers, and to one with
body-parser 2.4.0, each a process of its own on the loopback interface.
Exit status: 0 if ours withstood all of them, 1 if not, 2 for wrong options.

  --filter=TEXT[,TEXT]  only attacks whose name contains one of these
  --json=FILE           write all figures there
  --list                name the attacks
  --help                this text`

const OPTIONS = {
  filter: { type: 'string' },
  json: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false }
}

/**
 * @param {string[]} args the command line
 * @param {{ name: string }[]} attacks to choose from
 * @returns {{ attacks: object[], json: string | null, list: boolean, help: boolean }}
 * @throws {Error} telling in one line what is wrong
 */
function readArguments (args, attacks) {
  const { filter, json, list, help } = parseOptions(args, OPTIONS)
  const parts = filter === undefined ? [''] : filter.split(',').map((part) => part.trim())
  const chosen = attacks.filter(({ name }) => parts.some((part) => name.includes(part)))
  if (chosen.length === 0) throw new Error(`no attack's name contains ${JSON.stringify(filter)}; --list names them all`)
  if (json === '') throw new Error('--json needs the name of a file')
  return { attacks: chosen, json: json === undefined ? null : path.resolve(json), list, help }
}

module.exports = { readArguments, HELP }
