'use strict'

// Measures targets: trial after trial, each with a new server process of every target, which are loaded in turn.

const { randomUUID } = require('node:crypto')
const { withLab } = require('../tools/lab')
const { describeMachine } = require('../tools/machine')
const { timeLeft } = require('../tools/progress')
const { createRandom, shuffle } = require('../tools/random')
const { median, sum } = require('../tools/statistics')
const UserError = require('../tools/user-error')
const { exchangesOf } = require('./answers')
const { functionsOf } = require('./profile')
const { ALPHA, fewestTrials } = require('./statistics')
const { SkipScenario, verifyPackages } = require('./targets')

const APP = require.resolve('./app')
const WARM_UP_CONNECTIONS = 16
const PROBES = 2 // of the amount of a sample, or of a rate that takes a share of a core
const BUSY = 0.75 // of a core; below this something else was the limit
const MANY = 8 // connections; with fewer, a server waits for the load
// V8 counts the time of an inlined function as that of its caller.
const NO_INLINING = ['--no-turbo-inlining', '--no-maglev-inlining']
const BEHIND = 0.02 // of the requests of a sample; more that are due and not sent are a queue that grows

/**
 * Measures all scenarios and loads.
 *
 * @param {import('./targets').Target[]} targets one or two
 * @param {object} settings scenarios, loads, minutes, warmup, duration, samples, rounds, seed; other times in ms. A
 *   load has a rate (requests/s) in an open loop, and may have a share of a core from which that follows
 * @param {object} progress of tools/progress.js
 * @returns {Promise<object>} id, machine, settings, skipped, and `scenarios`: name, load, lanes (letter -> shares),
 *   trials (letter -> figures: `samples` of us of CPU time per request, and those of metrics.js), warnings
 */
function measure (targets, settings, progress) {
  return withLab(async (lab) => {
    const random = createRandom(settings.seed)
    const { fit, lanes, skipped } = await verifyAll(lab, targets, settings.scenarios)
    const measured = []
    for (const [index, scenario] of fit.entries()) {
      const { name, about } = scenario
      const cells = settings.loads.map((load) => {
        return { name: `${name}, ${load.name}`, about, load: { ...load }, lanes: lanes[name], trials: [] }
      })
      const fewest = fewestTrials(1 - ALPHA / (fit.length * cells.length))
      const began = performance.now()
      for (let trial = 1, done = 0; done < 1; trial++) {
        progress.update((index + done) / fit.length, `${name}, trial ${trial}`)
        await measureTrial(lab, targets, scenario, cells, settings, random)
        done = Math.min(1, (performance.now() - began) / settings.minutes / 60_000, trial / fewest)
        const left = timeLeft(began, done / (fit.length - index)) // if the other scenarios take as long
        const what = `${name}, trial ${trial} of ${Math.ceil(trial / done)}, ${left}`
        progress.say(`${what}: ${cells.map(trialText).join('; ')}`)
      }
      for (const cell of cells) cell.warnings = warningsOf(cell)
      for (const cell of settings.profile ? cells : []) {
        progress.say(`${cell.name}: ${settings.rounds} rounds under the profiler`)
        cell.profiles = await profile(lab, targets, scenario, cell, settings, random)
      }
      measured.push(...cells)
    }
    progress.stop()
    const machine = { ...describeMachine(), cores: lab.cores }
    return { id: randomUUID(), date: new Date().toISOString(), machine, settings, skipped, scenarios: measured }
  })
}

function trialText ({ load, trials }) {
  const figures = Object.entries(trials.at(-1)).map(([letter, { cpu }]) => `${letter} ${cpu.toPrecision(3)}`)
  return `${load.name}: ${figures.join(', ')} us of CPU time per request`
}

/** Checks, before anything is timed, that each target parses what is sent, and loads its own packages. */
async function verifyAll (lab, targets, scenarios) {
  const skipped = []
  const lanes = {}
  for (const scenario of scenarios) {
    try {
      lanes[scenario.name] = {}
      for (const target of targets) lanes[scenario.name][target.letter] = await verify(lab, target, scenario)
    } catch (error) {
      if (!(error instanceof SkipScenario)) throw error
      skipped.push({ name: scenario.name, reason: error.message })
    } finally {
      await lab.stopServers()
    }
  }
  const fit = scenarios.filter(({ name }) => !skipped.some((one) => one.name === name))
  if (fit.length > 0) return { fit, lanes, skipped }
  throw new UserError(skipped.map(({ name, reason }) => `${name} is left out: ${reason}`).join('\n'))
}

/** @returns {Promise<Record<string, number> | null>} lane -> share of the bodies; null if the parser does not tell */
async function verify (lab, target, scenario) {
  const answer = scenario.answer === 'tail' ? 'digest' : scenario.answer
  const server = await start(lab, target, scenario, { answer, countsLanes: true })
  const exchanges = exchangesOf(scenario, answer)
  for (const { coding, ...exchange } of exchanges) {
    await server.connect([exchange], 1)
    try {
      await server.load({ amount: 1 })
    } catch (error) {
      if (coding === undefined || !/ 415 .* instead of 200 /.test(error.message)) throw error
      throw new SkipScenario(`target ${target.letter} does not know the content coding ${coding}`)
    }
    await server.disconnect()
  }
  verifyPackages(target, scenario, await server.ask('packages'))
  await server.connect(exchanges, WARM_UP_CONNECTIONS)
  await server.load({ amount: WARM_UP_CONNECTIONS * exchanges.length })
  return sharesOf(await server.ask('lanes'))
}

function sharesOf (counts) {
  const total = sum(Object.values(counts))
  return total === 0 ? null : Object.fromEntries(Object.entries(counts).map(([lane, count]) => [lane, count / total]))
}

function start (lab, { letter, node, folders, planted }, { name, app }, more, flags = []) {
  const cwd = folders[app]
  const settings = { scenario: name, folder: cwd, planted, ...more }
  return lab.start({ name: `server of target ${letter}, ${name}`, app: APP, settings, node: node.path, flags, cwd })
}

/**
 * Serves the same load under V8's profiler. A is there twice: its two processes show what the noise is.
 *
 * @returns {Promise<Record<string, object[]>>} letter -> figures of each round, with `functions`, and V8's in the last
 */
async function profile (lab, [a, b], scenario, { load }, settings, random) {
  const sides = [a, b, { ...a, letter: 'S' }]
  const cell = { load, trials: [] }
  for (let round = 1; round <= settings.rounds; round++) {
    await measureTrial(lab, sides, scenario, [cell], { ...settings, isProfiled: true }, random)
    for (const figures of Object.values(cell.trials.at(-1))) {
      figures.functions = functionsOf(figures)
      figures.unit = 'us'
      if (round < settings.rounds) delete figures.profile
    }
  }
  return Object.fromEntries(sides.map(({ letter }) => [letter, cell.trials.map((trial) => trial[letter])]))
}

/** One trial: new servers, warmed up, then each load on each of them in turn. */
async function measureTrial (lab, targets, scenario, cells, settings, random) {
  try {
    const exchanges = exchangesOf(scenario)
    const others = scenario.beside
    const beside = others && { ...others, requests: exchangesOf({ ...scenario, ...others }) }
    const sides = []
    for (const target of shuffle([...targets], random)) {
      const server = await start(lab, target, scenario, {}, settings.isProfiled ? NO_INLINING : [])
      sides.push({ letter: target.letter, server })
    }
    for (const { server } of sides) {
      await server.connect(exchanges, WARM_UP_CONNECTIONS)
      await server.warmUp(settings.warmup, WARM_UP_CONNECTIONS * exchanges.length)
      await server.disconnect()
    }
    for (const { load, trials } of shuffle([...cells], random)) {
      for (const { server } of sides) {
        await server.connect(exchanges, load.connections, beside)
      }
      const unit = load.connections * exchanges.length
      if (load.share !== undefined) load.rate ??= await findRate(sides, load.share, unit)
      if (load.rate === null) load.amount ??= await findAmount(sides[0].server, unit, settings)
      trials.push(await measureLoad(sides, load, settings, random))
      for (const { server } of sides) await server.disconnect()
    }
  } finally {
    await lab.stopServers()
  }
}

/**
 * The rate at which the slowest target uses a share of a core. CPU time per request depends on the rate, as a busy
 * server finds several requests in a turn of its loop: so the rate is tried, and corrected.
 */
async function findRate (sides, share, unit) {
  let how = { amount: unit * 8 } // first as fast as it can
  for (let i = 0; ; i++) {
    const costs = []
    for (const { server } of sides) costs.push((await server.load(how)).cpu)
    const rate = Math.max(1, Math.round(share / Math.max(...costs) * 1e6))
    if (i === PROBES) return rate
    how = { rate, time: 400 }
  }
}

/** Requests of a sample, for `duration` of CPU time: whole turns of all connections, and the same for all targets. */
async function findAmount (server, unit, { duration }) {
  let amount = unit
  for (let i = 0; i <= PROBES; i++) {
    const { cpu } = await server.load({ amount })
    amount = unit * Math.max(1, Math.round(duration * 1000 / cpu / unit))
  }
  return amount
}

/** Many short samples of each side in turn: what disturbs the machine for longer disturbs all of them. */
async function measureLoad (sides, { rate, amount }, { duration, samples, isProfiled }, random) {
  const seen = Object.fromEntries(sides.map(({ letter }) => [letter, []]))
  for (const { server } of sides) await server.ask('watch', { profile: isProfiled })
  for (let i = 0; i < samples; i++) {
    const how = rate === null ? { amount } : { rate, time: duration, seed: Math.floor(random() * 2 ** 31) }
    for (const { letter, server } of i % 2 === 0 ? sides : [...sides].reverse()) {
      seen[letter].push(await server.load(how))
    }
  }
  const trial = {}
  for (const { letter, server } of sides) {
    const of = (read) => median(seen[letter].map(read))
    const samples = seen[letter].map(({ cpu }) => cpu)
    trial[letter] = {
      samples,
      cpu: median(samples),
      main: of(({ main }) => main),
      rps: of(({ rps }) => rps),
      throughput: of(({ bytes, elapsed }) => bytes / elapsed),
      latency: of(({ latency }) => latency.mean),
      latencyP50: of(({ latency }) => latency.p50),
      latencyP99: of(({ latency }) => latency.p99),
      utilisation: of(({ utilisation }) => utilisation),
      backlog: of(({ backlog = 0, responses }) => backlog / Math.max(1, responses)),
      ...await server.ask('figures'),
      statusCodes: seen[letter].map(({ statusCodes }) => statusCodes).reduce(add, {})
    }
  }
  return trial
}

/** What may make the figures misleading. */
function warningsOf ({ load, trials }) {
  return Object.keys(trials[0]).flatMap((letter) => {
    const of = (key) => median(trials.map((trial) => trial[letter][key]))
    if (load.rate !== null) {
      const queue = `did not keep up with ${load.rate} requests/s: its latency is that of a growing queue`
      return of('backlog') > BEHIND ? [`target ${letter} ${queue}`] : []
    }
    if (load.connections < MANY || of('utilisation') >= BUSY) return []
    return [`target ${letter} had ${Math.round(of('utilisation') * 100)} % of a core: the load or other programs ` +
      'were the limit, so its responses per second are not its maximum']
  })
}

function add (sums, counts) {
  for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count
  return sums
}

module.exports = { add, measure }
