'use strict'

const { fileName, number, oneOf, readOptions, refuseIdle, SEED, someOf, wholeNumber } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const defaults = require('./defaults')
const { scenarioNames } = require('./scenarios')
const { FEWEST, STRETCH } = require('./statistics/steady')

/** The options of test:load; the other commands use some of them. */
const OPTIONS = {
  test: { short: 't', value: 'NAMES', multiple: true, read: readTests, default: () => [defaults.test], help: `scenarios, with commas between, or all (${defaults.test})` },
  overrides: { short: 'o', value: 'JSON', read: readOverrides, help: 'target B: package -> npm spec, and "node" -> version' },
  baseline: { value: 'JSON', read: readOverrides, help: 'the same for target A, which is this working tree by default' },
  node: { short: 'n', value: 'VERSION', read: readNode, help: 'version of Node.js for both targets; that of this process by default' },
  'inject-fault': { value: 'PERCENT', read: number(0.1, 1000), help: 'target B: this working tree, with so much more CPU time per request' },
  calibrate: { help: `target A against itself, ${defaults.calibrationRuns} runs by default: how far do runs lie apart on this machine?` },
  runs: { value: 'N', read: wholeNumber(1, 1000), help: `with new processes, each warmed up anew (${defaults.runs})` },
  rate: { value: 'LIST', read: readRates, help: `open loops: requests per second at random times, or a share of a core (${defaults.rates})` },
  connections: { value: 'LIST', read: readConnections, help: `closed loops: as many requests as that many connections take (${defaults.connections})` },
  threshold: { value: '%', read: number(0.01, 100), default: defaults.threshold, help: 'a difference within this does not matter' },
  duration: { value: 'S', read: number(0, 3600), default: defaults.duration, help: 'seconds measured per block, of which a run has some for each load' },
  warmup: { value: 'S', read: number(0, 3600), default: defaults.warmup, help: 'seconds of load that a server may take to become steady' },
  'keep-going': { help: 'count wrong responses and errors, instead of ending at the first one' },
  seed: { ...SEED, help: 'of the order of the turns, and of arrivals' },
  url: { value: 'URL', multiple: true, read: (texts) => texts.map(readUrl), default: () => [], help: 'a server that runs already (npm run perf:server); twice for A and B' },
  write: { default: true, help: 'write the results to files, unless --no-write' },
  output: { value: 'FILE', read: fileName('.json'), help: 'where to write the JSON; names of its siblings follow from it' },
  report: { help: 'write an HTML report, too' },
  summary: { value: 'FILE', read: fileName('.json'), help: 'write a comparison of one screen there, too, and its chart beside it' },
  export: { value: 'artillery', read: oneOf(['artillery']), help: 'write the scenarios for that load engine, and run nothing' },
  quiet: { help: 'no progress' },
  list: { help: 'name the scenarios' }
}

/**
 * @param {string[]} args the command line of test:load
 * @returns {object} every setting, defaults filled in
 * @throws {UserError} for what is wrong
 */
function readSettings (args) {
  return settingsOf(readOptions(args, OPTIONS))
}

/** @param {ReturnType<typeof readOptions>} read */
function settingsOf ({ values, given }) {
  const { test: tests, url: urls, node, rate, connections, ...rest } = values
  const compares = rest.overrides !== null || rest.injectFault !== null || rest.calibrate || urls.length === 2
  const settings = {
    ...rest,
    tests,
    urls,
    baseline: withNode(rest.baseline ?? {}, node),
    overrides: rest.overrides && withNode(rest.overrides, node),
    compares,
    loads: loadsOf(rate, connections, urls.length > 0),
    fewestRuns: compares ? defaults.fewestRuns : 1,
    runs: rest.runs ?? (rest.calibrate ? defaults.calibrationRuns : defaults.runs)
  }
  checkTogether(settings)
  checkIdle(given, settings)
  return settings
}

const PACKAGE = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

function readOverrides (text) {
  let overrides
  try {
    overrides = JSON.parse(text)
  } catch (error) {
    throw new UserError(`must be JSON, such as {"body-parser":"2.4.0"}: ${error.message}`)
  }
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new UserError('must be an object such as {"body-parser":"2.4.0"}')
  }
  for (const [name, spec] of Object.entries(overrides)) {
    if (!PACKAGE.test(name)) throw new UserError(`must have names of packages, not ${JSON.stringify(name)}`)
    if (typeof spec !== 'string' || spec.trim() === '') throw new UserError(`must have an npm spec such as "2.4.0" for ${name}`)
  }
  return overrides
}

function readNode (text) {
  if (!/^[\w.-]+$/.test(text)) throw new UserError(`must be a version of Node.js, such as 24, 22.15.0 or lts, not ${JSON.stringify(text)}`)
  return text
}

/** A version for both targets gives way to one that a target has for itself. */
function withNode (overrides, node) {
  return node === null ? overrides : { node, ...overrides }
}

function readTests (texts) {
  return texts.includes('all') ? scenarioNames() : someOf(scenarioNames())(texts)
}

/** Each once. */
function partsOf (text) {
  return [...new Set(text.split(','))]
}

/** Open loops. */
function readRates (text) {
  return partsOf(text).map((part) => {
    const open = { connections: defaults.openConnections, rate: null }
    if (/^\d+(\.\d+)?%$/.test(part)) return { ...open, name: `${part.slice(0, -1)} % of a core`, share: number(1, 90)(part.slice(0, -1)) / 100 }
    return { ...open, name: `${part} requests/s`, rate: number(1, 1e6)(part) }
  })
}

/** Closed loops. */
function readConnections (text) {
  return partsOf(text).map((part) => {
    const connections = wholeNumber(1, 1000)(part)
    return { name: `${connections} connection${connections === 1 ? '' : 's'}`, connections, rate: null }
  })
}

/** Those that are asked for; all standard ones by default. A server elsewhere does not tell what share of a core it uses. */
function loadsOf (rates, connections, isRemote) {
  if (isRemote && rates?.some(({ share }) => share !== undefined)) throw new UserError('--rate must be requests per second beside --url')
  if (rates !== null || connections !== null) return [...rates ?? [], ...connections ?? []]
  return [...isRemote ? [] : readRates(String(defaults.rates)), ...readConnections(String(defaults.connections))]
}

function readUrl (text) {
  if (!URL.canParse(text) || new URL(text).protocol !== 'http:') throw new UserError(`must be an http URL, not ${text}`)
  const { origin, href } = new URL(text)
  if (href !== `${origin}/`) throw new UserError(`must be a server, such as ${origin}, not ${text}`)
  return origin
}

function checkTogether ({ overrides, injectFault, calibrate, urls, tests, compares, summary, loads, runs, fewestRuns, duration, warmup, export: engine }) {
  const ways = Object.entries({ overrides: overrides !== null, 'inject-fault': injectFault !== null, calibrate, url: urls.length > 0 })
    .filter(([, isUsed]) => isUsed).map(([name]) => `--${name}`)
  if (ways.length > 1) throw new UserError(`${ways.join(' and ')} exclude each other`)
  if (urls.length > 2) throw new UserError('--url can be given once or twice')
  if (injectFault !== null && (tests.length !== 1 || loads.length !== 1)) {
    throw new UserError('--inject-fault needs one --test, and one load (--rate or --connections): it is a share of what a request costs there')
  }
  if (urls.length > 0 && tests.length !== 1) throw new UserError('--url needs one --test: the one that the server runs')
  if (summary !== null && !compares) throw new UserError('--summary needs something to compare with: --overrides')
  if (runs < fewestRuns) throw new UserError(`--runs must be at least ${fewestRuns} to compare: one says nothing about the next`)
  if (engine !== null) return
  if (duration < SHORTEST_BLOCK) throw new UserError(`--duration must be at least ${SHORTEST_BLOCK}: it takes as long to tell whether a block is steady`)
  if (warmup < SHORTEST_WARM_UP) throw new UserError(`--warmup must be at least ${SHORTEST_WARM_UP}: it takes as long to tell whether a server is steady`)
}

const SHORTEST_BLOCK = (FEWEST + 2) * defaults.window // s
const SHORTEST_WARM_UP = 4 / 3 * STRETCH * defaults.window

const EXPORTED = ['export', 'test', 'rate', 'duration', 'connections', 'url', 'output', 'quiet', 'list', 'help']

function checkIdle (given, { urls, export: engine, compares, write }) {
  if (engine !== null) refuseIdle(given, Object.keys(OPTIONS).filter((name) => !EXPORTED.includes(name)), 'beside --export')
  if (urls.length > 0) refuseIdle(given, ['baseline', 'node'], 'beside --url')
  if (!compares) refuseIdle(given, ['threshold'], 'without a target B')
  if (!write) refuseIdle(given, ['output', 'report', 'summary'], 'beside --no-write')
}

module.exports = { OPTIONS, readSettings, settingsOf }
