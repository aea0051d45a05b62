'use strict'

const { parseArgs } = require('node:util')
const path = require('node:path')
const defaults = require('./defaults')
const Failure = require('./failure')

const FLAGS = {
  test: { type: 'string', multiple: true, value: 'NAMES', help: 'scenarios, with commas between; all of them by default' },
  overrides: { type: 'string', value: 'JSON', help: 'side B: package -> npm spec, and "node" -> version' },
  baseline: { type: 'string', value: 'JSON', help: 'the same for side A, which is this working tree by default' },
  plant: { type: 'string', value: 'PERCENT', help: 'side B: this working tree, burning so much more CPU per request' },
  calibrate: { type: 'boolean', help: 'side A against itself: how much noise is there on this machine?' },
  rounds: { type: 'string', value: 'N', help: `pairs of blocks, or auto (${defaults.rounds}): until the verdict is sure` },
  'max-time': { type: 'string', value: 'S', help: `seconds per scenario for --rounds=auto (${defaults.maxTime})` },
  threshold: { type: 'string', value: '%', help: `a difference within this is none (${defaults.threshold})` },
  duration: { type: 'string', value: 'S', help: `seconds measured per block (${defaults.duration})` },
  warmup: { type: 'string', value: 'S', help: `seconds of load before that (${defaults.warmup})` },
  connections: { type: 'string', value: 'N', help: `connections at a time (${defaults.connections})` },
  rate: { type: 'string', value: 'N', help: 'requests per second, the same for both sides, instead of as many as go' },
  seed: { type: 'string', value: 'N', help: 'of the order of the blocks' },
  url: { type: 'string', multiple: true, value: 'URL', help: 'a server that runs already (npm run perf:server); twice for A and B' },
  output: { type: 'string', value: 'FILE', help: 'where to put the JSON; names of its siblings follow from it' },
  report: { type: 'boolean', help: 'write a report in HTML, too' },
  export: { type: 'string', value: 'artillery', help: 'write the scenarios for that load engine, and run nothing' },
  quiet: { type: 'boolean', help: 'no progress' },
  list: { type: 'boolean', help: 'name the scenarios' },
  help: { type: 'boolean', help: 'this text' }
}

/**
 * @param {string[]} args the command line
 * @param {string[]} names of all scenarios
 * @param {object} [flags] those to allow
 * @returns {object} every setting, defaults filled in
 * @throws {Failure} for what is wrong
 */
function readArguments (args, names, flags = FLAGS) {
  const { values } = parse(args, flags)
  const overrides = readOverrides('--overrides', values.overrides)
  const baseline = readOverrides('--baseline', values.baseline)
  const settings = {
    tests: readTests(values.test, names),
    overrides,
    baseline: baseline ?? {},
    plant: values.plant === undefined ? null : readNumber('--plant', values.plant, 0.1, 1000),
    calibrate: values.calibrate === true,
    maxTime: readNumber('--max-time', values['max-time'] ?? defaults.maxTime, 1, 86_400),
    threshold: readNumber('--threshold', values.threshold ?? defaults.threshold, 0.01, 100),
    duration: readNumber('--duration', values.duration ?? defaults.duration, 0.2, 3600),
    warmup: readNumber('--warmup', values.warmup ?? defaults.warmup, 0, 3600),
    connections: readWhole('--connections', values.connections ?? defaults.connections, 1, 1000),
    rate: values.rate === undefined ? null : readNumber('--rate', values.rate, 1, 1e6),
    seed: readWhole('--seed', values.seed ?? Date.now() % 1e9, 0, 2 ** 32 - 1),
    urls: (values.url ?? []).map(readUrl),
    output: readOutput(values.output),
    report: values.report === true,
    export: readExport(values.export),
    quiet: values.quiet === true,
    list: values.list === true,
    help: values.help === true,
    port: readWhole('--port', values.port ?? 0, 0, 65_535),
    host: values.host ?? defaults.host
  }
  settings.compares = overrides !== null || settings.plant !== null || settings.calibrate || settings.urls.length === 2
  settings.fewestRounds = settings.calibrate ? defaults.calibrationRounds : settings.compares ? defaults.fewestRounds : 1
  settings.rounds = readRounds(values.rounds ?? (settings.compares ? defaults.rounds : defaults.loneRounds), settings)
  checkTogether(settings)
  if (flags === FLAGS) refuseIdle(values, settings)
  return settings
}

function parse (args, flags) {
  try {
    return parseArgs({ args, options: flags, strict: true, allowPositionals: false })
  } catch (error) {
    throw new Failure(error.message.split('. ')[0])
  }
}

const PACKAGE = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

function readOverrides (flag, text) {
  if (text === undefined) return null
  let overrides
  try {
    overrides = JSON.parse(text)
  } catch (error) {
    throw new Failure(`${flag} is not JSON: ${error.message}`)
  }
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new Failure(`${flag} must be an object such as {"body-parser":"2.4.0"}`)
  }
  for (const [name, spec] of Object.entries(overrides)) {
    if (!PACKAGE.test(name)) throw new Failure(`${flag}: ${JSON.stringify(name)} is no package name`)
    if (typeof spec !== 'string' || spec.trim() === '') {
      throw new Failure(`${flag}: ${name} needs an npm spec such as "2.4.0"`)
    }
  }
  return overrides
}

function readTests (lists, names) {
  if (lists === undefined) return names
  const tests = [...new Set(lists.flatMap((list) => list.split(',')).map((name) => name.trim()))]
  for (const name of tests) {
    if (!names.includes(name)) throw new Failure(`unknown test ${JSON.stringify(name)}; --list names them all`)
  }
  return tests
}

function readNumber (flag, text, least, most) {
  const number = Number(text)
  if (String(text).trim() === '' || !(number >= least && number <= most)) {
    throw new Failure(`${flag} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}`)
  }
  return number
}

function readWhole (flag, text, least, most) {
  const number = readNumber(flag, text, least, most)
  if (!Number.isInteger(number)) throw new Failure(`${flag} must be a whole number, not ${text}`)
  return number
}

function readRounds (text, { compares, fewestRounds }) {
  if (text !== 'auto') return readWhole('--rounds', text, fewestRounds, 1000)
  if (!compares) throw new Failure('--rounds=auto needs something to compare with: --overrides')
  return text
}

function readUrl (text) {
  if (!URL.canParse(text) || new URL(text).protocol !== 'http:') throw new Failure(`--url: ${text} is no http URL`)
  const { origin, href } = new URL(text)
  if (href !== `${origin}/`) throw new Failure(`--url is a server, such as ${origin}, not ${text}`)
  return origin
}

function readOutput (file) {
  if (file === undefined) return null
  if (!file.endsWith('.json')) throw new Failure('--output must end in .json')
  return path.resolve(file)
}

function readExport (engine) {
  if (engine === undefined || engine === 'artillery') return engine ?? null
  throw new Failure(`--export knows artillery, not ${engine}`)
}

function checkTogether ({ overrides, plant, calibrate, urls, tests }) {
  const ways = [overrides !== null && '--overrides', plant !== null && '--plant', calibrate && '--calibrate', urls.length > 0 && '--url']
    .filter(Boolean)
  if (ways.length > 1) throw new Failure(`${ways.join(' and ')} exclude each other`)
  if (urls.length > 2) throw new Failure('--url goes with one server, or with two')
  if (plant !== null && tests.length !== 1) throw new Failure('--plant needs one --test: the cost is a part of that one\'s')
  if (urls.length > 0 && tests.length !== 1) throw new Failure('--url needs one --test: the one that the server runs')
}

const EXPORTED = ['export', 'test', 'rate', 'duration', 'connections', 'url', 'output', 'quiet', 'list', 'help']

/** Whoever gives a flag that does nothing takes the run for another one. */
function refuseIdle (values, { urls, export: engine, rounds, compares }) {
  const idle = [
    [engine !== null, Object.keys(FLAGS).filter((name) => !EXPORTED.includes(name)), 'beside --export'],
    [urls.length > 0, ['baseline'], 'beside --url'],
    [rounds !== 'auto', ['max-time'], 'without --rounds=auto'],
    [!compares, ['threshold', 'seed'], 'without a side B']
  ]
  for (const [holds, names, where] of idle) {
    const name = names.find((flag) => values[flag] !== undefined)
    if (holds && name !== undefined) throw new Failure(`--${name} does nothing ${where}`)
  }
}

/** @returns {string} the flags, one a line */
function helpText (flags = FLAGS) {
  return Object.entries(flags)
    .map(([name, { value, help }]) => `  ${`--${name}${value === undefined ? '' : `=${value}`}`.padEnd(20)} ${help}`)
    .join('\n')
}

module.exports = { readArguments, parse, readNumber, readWhole, helpText, FLAGS }
