'use strict'

const { parseArgs } = require('node:util')
const { SHAPES } = require('./shapes')

const NAMES = Object.keys(SHAPES)
const OTHERS = ['worker', 'streamparser', 'stream-json', 'yieldable']

const HELP = `What parsing in slices costs, by the shape of the body, beside one JSON.parse.

Usage: node bench/slices.js [options]

  --mb=N             megabytes of a body (10)
  --rounds=N         of each, by turns (5)
  --shapes=NAMES     with commas between, of ${NAMES.join(', ')}
  --slice=MS         (0.25)
  --others           a worker thread and parsers from npm as well: ${OTHERS.join(', ')}
  --node-flags=FLAGS of the processes that parse, such as --max-semi-space-size=1
  --json=FILE        write every round to FILE
  --help             this text
`

/**
 * @param {string[]} argv the command line without node and script
 * @returns {object} every setting
 * @throws {Error} whose message is for the user
 */
function readArguments (argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      mb: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '5' },
      shapes: { type: 'string', default: NAMES.join() },
      slice: { type: 'string', default: '0.25' },
      others: { type: 'boolean', default: false },
      'node-flags': { type: 'string', default: '' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false }
    }
  })
  if (values.json === '') throw new Error('--json needs the name of a file')
  return {
    megabytes: readNumber('--mb', values.mb, 0.1, 400),
    rounds: readRounds(values.rounds),
    shapes: readShapes(values.shapes),
    slice: readNumber('--slice', values.slice, 0.01, 1000),
    ways: ['whole', 'slices', ...(values.others ? OTHERS : [])],
    nodeFlags: readFlags(values['node-flags']),
    json: values.json,
    help: values.help
  }
}

function readNumber (flag, text, least, most) {
  const number = Number(text)
  if (text.trim() === '' || !(number >= least && number <= most)) throw new Error(`${flag}=${text} is no number from ${least} to ${most}`)
  return number
}

function readRounds (text) {
  const rounds = readNumber('--rounds', text, 1, 1000)
  if (!Number.isInteger(rounds)) throw new Error(`--rounds=${text} is no whole number`)
  return rounds
}

function readShapes (list) {
  const asked = list.split(',').map((name) => name.trim())
  const unknown = asked.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new Error(`there is no shape "${unknown}", but ${NAMES.join(', ')}`)
  return NAMES.filter((name) => asked.includes(name))
}

function readFlags (text) {
  const flags = text.split(' ').filter((flag) => flag !== '')
  const stranger = flags.find((flag) => !/^--[a-z][\w-]*(=\S*)?$/.test(flag))
  if (stranger !== undefined) throw new Error(`--node-flags: "${stranger}" is no flag such as --max-semi-space-size=1`)
  return flags
}

module.exports = { HELP, readArguments }
