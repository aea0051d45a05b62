'use strict'

const UserError = require('../../tools/user-error')
const defaults = require('../defaults')

const ABOUT = '/about' // path at which `npm run perf:server` describes itself

/**
 * A server that was started elsewhere, with `npm run perf:server`. It has the
 * methods of a TargetServer, but cannot be measured from inside.
 */
class RemoteServer {
  /**
   * @param {import('./install').Target} target
   * @param {import('../scenarios').Scenario} scenario
   */
  constructor (target, scenario) {
    this.target = target
    this.scenario = scenario
    this.name = `server of target ${target.letter} at ${target.url}, ${scenario.name}`
    this.url = target.url
    this.died = new Promise(() => {}) // only the driver can tell
  }

  async open () {
    return this.url
  }

  async start () {}

  async windows () {
    return null
  }

  async stop () {
    return null
  }

  async packages () {
    return (await askAbout(this.url, this.scenario)).packages
  }

  async close () {}
}

/**
 * A target that is served elsewhere, as its server describes it.
 *
 * @param {string} letter
 * @param {string} url
 * @param {import('../scenarios').Scenario} scenario
 * @returns {Promise<import('./install').Target>}
 * @throws {UserError} if it serves another scenario
 */
async function remoteTarget (letter, url, scenario) {
  const { overrides, commit, resolved, nodeVersion } = await askAbout(url, scenario)
  return { letter, url, overrides, commit, resolved, node: { version: nodeVersion }, apps: {} }
}

async function askAbout (url, { name }) {
  const about = await get(new URL(ABOUT, url))
  if (about?.scenario === undefined) throw new UserError(`${url} is no npm run perf:server`)
  if (about.scenario !== name) throw new UserError(`${url} serves ${about.scenario}, not ${name}`)
  return about
}

async function get (url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(defaults.settleTime) })
    return response.ok ? await response.json() : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw new UserError(`${url} cannot be reached: ${error.cause?.message ?? error.message}`)
  }
}

module.exports = { RemoteServer, remoteTarget, ABOUT }
