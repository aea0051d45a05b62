'use strict'

const { fileName, nodeFlags, number, readOptions, refuseIdle, SEED, someOf, wholeNumber } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')
const strategies = require('./strategies')

const IDS = strategies.map(({ id }) => id)

const OPTIONS = {
  rate: { value: 'N', read: number(1, 5000), default: 200, help: 'small requests per second' },
  mb: { value: 'N', read: number(0.3, 200), default: 10, help: 'size of a large post, in MB' },
  streams: { value: 'N', read: wholeNumber(1, 50), default: 2, help: 'connections that send large posts' },
  'post-rate': { value: 'N', read: number(0.01, 1000), help: 'large posts per second, instead of as many as the server takes' },
  seconds: { value: 'S', read: number(0.2, 600), default: 10, help: 'measured per block' },
  warmup: { value: 'S', read: number(0, 600), default: 2, help: 'of the same load before that' },
  rounds: { value: 'N', read: wholeNumber(1, 100), default: 3, help: 'blocks per strategy, alternately' },
  slice: { value: 'MS', read: number(0.01, 1000), default: 0.25, help: 'of the cooperative strategy' },
  only: { value: 'IDS', read: someOf(IDS), default: () => IDS, help: `strategies, with commas between, of ${IDS.join(', ')}` },
  'node-flags': { value: 'FLAGS', read: nodeFlags, default: () => [], help: 'of the servers, such as --max-semi-space-size=1' },
  seed: { ...SEED, help: 'of the order within a round' },
  json: { value: 'FILE', read: fileName('.json'), help: 'where to write all figures' },
  summary: { value: 'FILE', read: fileName('.json'), help: 'where to write the medians, on one screen' },
  chart: { value: 'FILE', read: fileName('.svg'), help: 'where to draw them' },
  from: { value: 'FILE', read: fileName('.json'), help: 'measure nothing: print and draw what --json or --summary wrote' }
}

const SHOWS = ['from', 'summary', 'chart', 'help']

/**
 * @param {string[]} args the command line
 * @returns {object} every setting, defaults filled in
 * @throws {UserError} for what is wrong
 */
function readSettings (args) {
  return settingsOf(readOptions(args, OPTIONS))
}

/** @param {ReturnType<typeof readOptions>} read */
function settingsOf ({ values, given }) {
  if (values.from !== null) refuseIdle(given, Object.keys(OPTIONS).filter((name) => !SHOWS.includes(name)), 'beside --from')
  if (values.rate * values.seconds < 1) throw new UserError('--seconds must be enough for one request at --rate')
  const { mb: megabytes, ...rest } = values
  return { ...rest, megabytes }
}

module.exports = { OPTIONS, readSettings, settingsOf }
