'use strict'

const { shuffle } = require('../../tools/random')
const { logRatio, primaryMetric } = require('../statistics/metrics')
const { agreeing, isLevel } = require('../statistics/steady')
const scheduleRounds = require('./schedule')
const { measureTurn, warmUp, withLoad } = require('./turn')
const { createServer, whileAlive } = require('./verify')

const WARM_UP = { connections: 50, rate: null } // the most requests per second, as V8 compiles what is called often
const PROBE = { lead: 0.3, duration: 0.5 } // s
const PROBES = 2

/**
 * One run: fresh servers are warmed up until each is steady, and then measured
 * with one load after the other, in random order. A round is a block of each
 * target; what disturbs the machine for longer than that disturbs both.
 *
 * @param {import('../targets/install').Target[]} targets one or two
 * @param {import('../scenarios').Scenario} scenario
 * @param {object} plan driver, random; settings: core, loads, rounds, keepGoing,
 *   warmup, lead and duration in s; `rates`, requests/s by share of a core, which
 *   the first run finds. A load may have a `shape`: settings of its own
 * @returns {Promise<{ warmUp: Record<string, object>, isSteady: boolean, blocks: object[] }>}
 *   without blocks if a server did not become steady. A block has `load` and
 *   `round`, and `excluded` if it does not count: why
 */
function measureRun (targets, scenario, { driver, random, settings, rates }) {
  const servers = targets.map((target) => createServer(target, scenario, { core: settings.core }))
  const sides = servers.map((server) => ({ letter: server.target.letter, server, driver, keepGoing: settings.keepGoing }))
  const seeded = { ...settings, seed: Math.floor(random() * 2 ** 31) }
  return whileAlive(servers, async () => {
    await Promise.all(servers.map((server) => server.open()))
    const warm = await warmUpAll(sides, seeded)
    const isSteady = sides.every(({ letter, server }) => warm[letter].steady !== null || server.target.url !== undefined)
    const blocks = []
    for (const load of isSteady ? shuffle([...settings.loads], random) : []) {
      if (load.share !== undefined) rates[load.share] ??= await findRate(sides, warm, load, seeded)
      const rate = rates[load.share] ?? load.rate
      const rounds = await withLoad(sides, { ...load, rate }, seeded, () => measureRounds(sides, { ...settings, ...load.shape }, random))
      excludeRounds(rounds, rate)
      blocks.push(...rounds.flatMap((round, i) => Object.values(round).map((block) => ({ load: load.name, rate, round: i + 1, ...block }))))
    }
    return { warmUp: Object.fromEntries(Object.entries(warm).map(([letter, { steady }]) => [letter, steady])), isSteady, blocks }
  })
}

async function warmUpAll (sides, settings) {
  const warm = {}
  for (const side of sides) {
    warm[side.letter] = await withLoad([side], WARM_UP, settings, () => warmUp(side, settings.warmup))
  }
  return warm
}

/**
 * The rate at which the slower target uses a share of a core. CPU time per
 * request depends on the rate, as a busy server finds several requests per turn
 * of its loop: so the rate is tried, and corrected.
 */
async function findRate (sides, warm, load, settings) {
  const slower = sides.reduce((slowest, side) => warm[side.letter].cpu > warm[slowest.letter].cpu ? side : slowest)
  let { cpu } = warm[slower.letter] // ns
  for (let i = 0; i < PROBES; i++) {
    const probe = await withLoad([slower], { ...load, rate: load.share / cpu * 1e9 }, settings, () => measureTurn([slower], PROBE))
    cpu = probe[slower.letter].cpu * 1000
  }
  return Math.max(1, Math.round(load.share / cpu * 1e9))
}

/** Rounds whose blocks are steady, and those that are not; the latter are repeated, within limits. */
async function measureRounds (sides, settings, random) {
  const rounds = []
  let counted = 0
  for (const order of scheduleRounds(sides, random)) {
    const round = {}
    for (const turn of settings.together ? [order] : order.map((side) => [side])) Object.assign(round, await measureTurn(turn, settings))
    for (const block of Object.values(round)) {
      if (!isLevel(block.windows ?? [])) block.excluded = 'its CPU time per request changed within it'
    }
    rounds.push(round)
    if (Object.values(round).every(({ excluded }) => excluded === undefined)) counted++
    if (counted === settings.rounds || rounds.length === settings.rounds + settings.spare) return rounds
  }
}

/** Marks the blocks of rounds that do not count. */
function excludeRounds (rounds, rate) {
  const candidates = rounds.filter((round) => Object.values(round).every(({ excluded }) => excluded === undefined))
  for (const round of rounds.filter((one) => !candidates.includes(one))) mark(round, 'the other target was not steady in this round')
  if (candidates.length === 0 || candidates[0].B === undefined) return
  const agrees = agreeing(candidates.map(({ A, B }) => logRatio(A, B, primaryMetric([A, B], rate))))
  candidates.filter((_, i) => !agrees[i]).forEach((round) => mark(round, 'it differs from the other rounds of its run'))
}

function mark (round, reason) {
  for (const block of Object.values(round)) block.excluded ??= reason
}

module.exports = { measureRun }
