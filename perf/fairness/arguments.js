'use strict'

const path = require('node:path')
const { parse, readNumber, readWhole } = require('../arguments')
const Failure = require('../failure')
const strategies = require('./strategies')

const FLAGS = {
  rate: { type: 'string', value: 'N', help: 'small requests per second (200)' },
  mb: { type: 'string', value: 'N', help: 'size of a large post, in MB (10)' },
  streams: { type: 'string', value: 'N', help: 'connections that send large posts (2)' },
  'post-rate': { type: 'string', value: 'N', help: 'large posts per second, instead of as many as the server takes' },
  seconds: { type: 'string', value: 'N', help: 'measured per block (10)' },
  warmup: { type: 'string', value: 'S', help: 'seconds of the same load before that (2)' },
  rounds: { type: 'string', value: 'N', help: 'blocks per strategy, by turns (3)' },
  slice: { type: 'string', value: 'MS', help: 'of the cooperative strategy (0.25)' },
  only: { type: 'string', value: 'IDS', help: `strategies, with commas between, of ${strategies.map(({ id }) => id).join(', ')}` },
  'node-flags': { type: 'string', value: 'FLAGS', help: 'of the servers, such as --max-semi-space-size=1' },
  seed: { type: 'string', value: 'N', help: 'of the order within a round' },
  json: { type: 'string', value: 'FILE', help: 'where to put all figures' },
  picture: { type: 'string', value: 'FILE', help: 'where to draw them, as SVG' },
  from: { type: 'string', value: 'FILE', help: 'measure nothing: print and draw what --json wrote' },
  help: { type: 'boolean', help: 'this text' }
}

const SHOWS = ['from', 'picture', 'help']

/**
 * @param {string[]} args the command line
 * @returns {object} every setting, defaults filled in
 * @throws {Failure} for what is wrong
 */
function readArguments (args) {
  const { values } = parse(args, FLAGS)
  if (values.from !== undefined) refuseIdle(values)
  return {
    rate: readNumber('--rate', values.rate ?? 200, 1, 5000),
    megabytes: readNumber('--mb', values.mb ?? 10, 0.3, 200),
    streams: readWhole('--streams', values.streams ?? 2, 1, 50),
    postRate: values['post-rate'] === undefined ? null : readNumber('--post-rate', values['post-rate'], 0.01, 1000),
    seconds: readNumber('--seconds', values.seconds ?? 10, 0.2, 600),
    warmup: readNumber('--warmup', values.warmup ?? 2, 0, 600),
    rounds: readWhole('--rounds', values.rounds ?? 3, 1, 100),
    slice: readNumber('--slice', values.slice ?? 0.25, 0.01, 1000),
    only: readOnly(values.only),
    nodeFlags: readNodeFlags(values['node-flags']),
    seed: readWhole('--seed', values.seed ?? Date.now() % 1e9, 0, 2 ** 32 - 1),
    json: readFile('--json', values.json, '.json'),
    picture: readFile('--picture', values.picture, '.svg'),
    from: readFile('--from', values.from, '.json'),
    help: values.help === true
  }
}

function refuseIdle (values) {
  const idle = Object.keys(values).find((name) => !SHOWS.includes(name))
  if (idle !== undefined) throw new Failure(`--${idle} does nothing beside --from`)
}

function readOnly (list) {
  const ids = strategies.map(({ id }) => id)
  if (list === undefined) return ids
  const asked = list.split(',').map((id) => id.trim())
  const unknown = asked.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw new Failure(`unknown strategy ${JSON.stringify(unknown)}; there are ${ids.join(', ')}`)
  return ids.filter((id) => asked.includes(id))
}

/** @returns {string[]} */
function readNodeFlags (text) {
  const flags = (text ?? '').split(' ').filter((flag) => flag !== '')
  const stranger = flags.find((flag) => !/^--[a-z][\w-]*(=\S*)?$/.test(flag))
  if (stranger !== undefined) throw new Failure(`--node-flags: ${JSON.stringify(stranger)} is no flag such as --max-semi-space-size=1`)
  return flags
}

function readFile (flag, file, ending) {
  if (file === undefined) return null
  if (!file.endsWith(ending)) throw new Failure(`${flag} must end in ${ending}`)
  return path.resolve(file)
}

module.exports = { readArguments, readNodeFlags, FLAGS }
