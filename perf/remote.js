'use strict'

const defaults = require('./defaults')
const Failure = require('./failure')

const ABOUT = '/about' // where a perf:server tells what it is

/**
 * A server that somebody else started, with `npm run perf:server`: as a Target,
 * but it cannot be measured from inside.
 */
class Remote {
  /**
   * @param {import('./sides').Side} side
   * @param {import('./scenario').Scenario} scenario
   */
  constructor (side, scenario) {
    this.side = side
    this.scenario = scenario
    this.name = `server of side ${side.letter} at ${side.url}, ${scenario.name}`
    this.url = side.url
    this.died = new Promise(() => {}) // the driver tells
  }

  async open () {
    return this.url
  }

  async start () {}

  async stop () {}

  async report () {
    const { packages } = await askAbout(this.url, this.scenario)
    return { meter: null, packages }
  }

  async close () {}
}

/**
 * A side that is served elsewhere, as its server describes it.
 *
 * @param {string} letter
 * @param {string} url
 * @param {import('./scenario').Scenario} scenario
 * @returns {Promise<import('./sides').Side>}
 * @throws {Failure} if it serves something else
 */
async function remoteSide (letter, url, scenario) {
  const { overrides, commit, told, nodeVersion } = await askAbout(url, scenario)
  return { letter, url, overrides, commit, told, node: { version: nodeVersion }, apps: {} }
}

async function askAbout (url, { name }) {
  const about = await get(new URL(ABOUT, url))
  if (about?.scenario === undefined) throw new Failure(`${url} is no npm run perf:server`)
  if (about.scenario !== name) throw new Failure(`${url} serves ${about.scenario}, not ${name}`)
  return about
}

async function get (url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(defaults.settleTime) })
    return response.ok ? await response.json() : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw new Failure(`${url} cannot be reached: ${error.cause?.message ?? error.message}`)
  }
}

module.exports = { Remote, remoteSide, ABOUT }
