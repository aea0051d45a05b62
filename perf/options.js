'use strict'

const { fileName, number, SEED, someOf, wholeNumber } = require('../tools/command-line')
const { NODE } = require('../tools/npm')
const UserError = require('../tools/user-error')
const scenarios = require('./scenarios')

const FULL = { minutes: 2, warmup: 1000, duration: 50, samples: 30, rounds: 5 } // times in ms
const QUICK = { ...FULL, minutes: 0.5, warmup: 500, samples: 24, rounds: 4 }
const OPEN_CONNECTIONS = 50
const NAMES = scenarios.map(({ name }) => name)

const file = (extension, help) => ({ value: 'FILE', read: fileName(extension), help })
const both = (key) => `(${FULL[key]}; ${QUICK[key]} with --quick)`

/** The options of test:load. */
const OPTIONS = {
  test: {
    short: 't',
    value: 'NAMES',
    multiple: true,
    read: (texts) => texts.includes('all') ? NAMES : someOf(NAMES)(texts),
    default: () => ['express5-json-1kb'],
    help: 'scenarios, with commas between, or all (express5-json-1kb)'
  },
  overrides: { short: 'o', ...overridesFor('target B: package -> npm spec, and "node" -> version') },
  baseline: overridesFor('the same for target A, which is this working tree by default'),
  planted: {
    value: 'N',
    read: wholeNumber(0, 1e6),
    default: 0,
    help: 'times that target B, else the same as A, parses a text of 8 B for each request'
  },
  node: { ...NODE, short: 'n', help: 'version of Node.js for both targets; that of this process by default' },
  quick: { help: 'a first answer, of as few trials as a verdict needs' },
  minutes: {
    value: 'M',
    read: number(0.01, 600),
    help: 'of measuring for each scenario: as many trials as fit, and at least those that a verdict needs ' +
      both('minutes')
  },
  rate: {
    value: 'LIST',
    read: eachOf(readRate),
    help: 'open loops: requests per second at random times, or a share of a core, such as 30%,70%'
  },
  connections: {
    value: 'LIST',
    read: eachOf(readConnections),
    help: 'closed loops: as many requests as that many connections take (16)'
  },
  threshold: { value: '%', read: number(0.01, 100), default: 1, help: 'a difference within this does not matter' },
  duration: { value: 'MS', read: wholeNumber(20, 60_000), default: FULL.duration, help: 'of a sample, at least 20' },
  warmup: {
    value: 'MS',
    read: wholeNumber(1, 60_000),
    help: `of CPU time that a server uses before it is measured, at least 1 ${both('warmup')}`
  },
  seed: { ...SEED, help: 'of the order of the targets and loads, and of arrivals' },
  write: { default: true, help: 'write the results to files, unless --no-write' },
  verbose: { help: 'show all figures: throughput, garbage collection, heap, RSS, ...' },
  profile: { help: 'say which functions the difference is in, by V8\'s profiler' },
  markdown: file('.md', 'the comparison for a pull request or the summary of a job'),
  output: file('.json', 'where to write the JSON; names of its siblings follow from it'),
  list: { help: 'name the scenarios' }
}

/**
 * @param {{ values: object }} read of tools/command-line.js
 * @returns {object} every setting, defaults filled in
 * @throws {UserError} for what is wrong
 */
function settingsOf ({ values }) {
  const { test, node, rate, connections, quick, minutes, warmup, baseline, ...rest } = values
  const overrides = values.overrides ?? (values.planted > 0 ? baseline ?? {} : null)
  if (!rest.write && rest.output !== null) throw new UserError('--output does nothing beside --no-write')
  const needy = ['profile', 'markdown'].find((name) => rest[name])
  if (needy !== undefined && overrides === null) throw new UserError(`--${needy} needs --overrides`)
  const defaults = quick ? QUICK : FULL
  const loads = [...rate ?? [], ...connections ?? []]
  return {
    ...rest,
    samples: defaults.samples,
    rounds: defaults.rounds, // of new processes, under a profiler
    minutes: minutes ?? defaults.minutes,
    warmup: warmup ?? defaults.warmup,
    scenarios: scenarios.filter(({ name }) => test.includes(name)),
    loads: loads.length === 0 ? [readConnections('16')] : loads,
    baseline: withNode(baseline ?? {}, node),
    overrides: overrides && withNode(overrides, node)
  }
}

function overridesFor (help) {
  return { value: 'JSON', read: readOverrides, help }
}

function readOverrides (text) {
  let overrides
  try {
    overrides = JSON.parse(text)
  } catch (error) {
    throw new UserError(`must be JSON, such as {"body-parser":"2.4.0"}: ${error.message}`)
  }
  if (Object.prototype.toString.call(overrides) !== '[object Object]') {
    throw new UserError('must be an object such as {"body-parser":"2.4.0"}')
  }
  return overrides
}

/** A version for both targets gives way to one that a target has for itself. */
const withNode = (overrides, node) => node === null ? overrides : { node, ...overrides }

function eachOf (read) {
  return (text) => [...new Set(text.split(','))].map(read)
}

function readRate (text) {
  const loop = { connections: OPEN_CONNECTIONS }
  if (!text.endsWith('%')) return { name: `${text} requests/s`, ...loop, rate: number(1, 1e6)(text) }
  const share = text.slice(0, -1)
  return { name: `${share} % of a core`, ...loop, rate: null, share: number(1, 90)(share) / 100 }
}

function readConnections (text) {
  const connections = wholeNumber(1, 1000)(text)
  return { name: `${connections} connection${connections === 1 ? '' : 's'}`, connections, rate: null }
}

module.exports = { OPTIONS, settingsOf }
