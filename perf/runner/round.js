'use strict'

const { setTimeout: sleep } = require('node:timers/promises')
const UserError = require('../../tools/user-error')
const blockOf = require('../results/block')
const { SkipScenario } = require('../scenarios')
const { RemoteServer } = require('../targets/remote-server')
const TargetServer = require('../targets/server')
const scheduleSlices = require('./schedule')

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
  return (await server.report()).packages
}

/**
 * One round, which is a block per target: fresh servers, warmed up, then loaded
 * in alternate slices. What disturbs the machine for longer than a slice
 * disturbs both.
 *
 * @param {import('../targets/install').Target[]} targets one or two
 * @param {import('../scenarios').Scenario} scenario
 * @param {import('../load/driver')} driver
 * @param {() => number} random
 * @param {object} settings core, connections, rate, keepGoing; warmup and
 *   duration, s per target; slice, s
 * @returns {Promise<Record<string, object>>} letter -> block, see results/block.js
 */
function measureRound (targets, scenario, driver, random, settings) {
  const servers = new Map(targets.map((target) => [target.letter, createServer(target, scenario, { core: settings.core })]))
  const letters = [...servers.keys()]
  const load = async (server, letter, afresh) => {
    const problem = await driver.go(letter, settings.slice, afresh)
    if (problem !== null && !settings.keepGoing) await blame(server, problem)
  }
  return whileAlive([...servers.values()], async () => {
    await Promise.all([...servers.values()].map((server) => server.open()))
    for (const [letter, { url }] of servers) await driver.open(letter, scenario, url, settings)
    if (settings.warmup > 0) {
      for (const letter of scheduleSlices(letters, settings.warmup, settings.slice, random)) await load(servers.get(letter), letter)
    }
    const started = new Date().toISOString()
    const slices = scheduleSlices(letters, settings.duration, settings.slice, random)
    for (const [i, letter] of slices.entries()) {
      const server = servers.get(letter)
      await server.start()
      await load(server, letter, slices.indexOf(letter) === i)
      await server.stop()
    }
    const ended = new Date().toISOString()
    const blocks = {}
    for (const [letter, server] of servers) {
      const counts = await driver.finish(letter)
      if (counts.responses === 0) await blame(server, counts.problem ?? 'no response at all')
      const { meter } = await server.report()
      blocks[letter] = { target: letter, started, ended, ...blockOf(counts, meter) }
    }
    return blocks
  })
}

async function whileAlive (servers, work) {
  try {
    return await Promise.race([work(), ...servers.map(({ died }) => died)])
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

function createServer (target, scenario, settings) {
  return target.url === undefined ? new TargetServer(target, scenario, settings) : new RemoteServer(target, scenario)
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

module.exports = { verifyTarget, verifyServer, measureRound }
