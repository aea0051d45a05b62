'use strict'

const { setTimeout: sleep } = require('node:timers/promises')
const UserError = require('../../tools/user-error')
const { SkipScenario } = require('../scenarios')
const { RemoteServer } = require('../targets/remote-server')
const TargetServer = require('../targets/server')

/**
 * Checks a target before any load: does it parse what is sent, and did it load
 * its own packages?
 *
 * @param {import('../targets/install').Target} target
 * @param {import('../scenarios').Scenario} scenario
 * @param {import('../load/driver')} driver
 * @returns {Promise<object[]>} the packages that its server loaded
 * @throws {SkipScenario} if the scenario says nothing about the target
 */
function verifyTarget (target, scenario, driver) {
  const answer = target.url === undefined ? 'echo' : scenario.answer
  const server = createServer(target, scenario, { answer })
  return whileAlive([server], async () => {
    await server.open()
    return verifyServer(server, scenario, driver, answer)
  })
}

/** The same for a server that is open already. */
async function verifyServer (server, scenario, driver, answer) {
  const { problem, lacks } = await driver.check(scenario, server.url, answer)
  if (problem !== null) await blame(server, problem)
  if (lacks !== null) throw new SkipScenario(`target ${server.target.letter} does not know the content coding ${lacks}`)
  return server.packages()
}

function createServer (target, scenario, settings) {
  return target.url === undefined ? new TargetServer(target, scenario, settings) : new RemoteServer(target, scenario)
}

async function whileAlive (servers, work) {
  try {
    return await Promise.race([work(), ...servers.map(({ died }) => died)])
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

const GRACE = 500 // ms

/**
 * Throws an error that names the server. If the server is dying, that is the
 * better reason; the driver may notice first.
 */
async function blame (server, problem) {
  await Promise.race([server.died, sleep(GRACE)])
  throw new UserError(`${server.name}: ${problem}`)
}

module.exports = { verifyTarget, verifyServer, createServer, whileAlive, blame }
