'use strict'

const { createRandom, pick } = require('../../tools/random')
const { logRatio, primaryMetric } = require('../statistics/metrics')
const { planLooks } = require('../statistics/sequential')
const { decide, isSettled, weigh } = require('../statistics/verdict')

const SESSIONS = 200 // replayed per question
const DIFFERENCES = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 25] // %
const FOUND = 0.9 // of the sessions

/**
 * What a comparison of a target with itself tells about this machine. Pairs are
 * drawn from it with their signs tossed (the targets are the same, so the sign
 * is chance), and whole sessions are replayed with them.
 *
 * @param {object[]} results A and B, see results/result.js
 * @param {object} settings of runner/run.js, `statisticsOf`
 * @returns {object[]} per scenario: noise of a pair in %, seconds per round,
 *   rounds that fit into the time, rate of false verdicts, smallest difference
 *   in % that is found in 9 of 10 sessions (null: none of those tried)
 */
module.exports = function calibrate ([a, b], settings) {
  return a.scenarios.map((scenario, i) => {
    const logs = pairLogs(scenario.blocks, b.scenarios[i].blocks, a.options.rate)
    const seconds = secondsPerRound(scenario.blocks)
    const most = settings.rounds === 'auto' ? Math.max(2, Math.floor(settings.maxTime / seconds)) : settings.rounds
    const replay = { logs, most, settings: { ...settings, resamples: 200 } } // enough to see on which side of 1 it ends
    const verdicts = replaySessions(replay, 0)
    return {
      name: scenario.name,
      rounds: logs.length,
      noise: 100 * Math.sqrt(logs.reduce((sum, log) => sum + log * log, 0) / logs.length),
      secondsPerRound: seconds,
      roundsInTime: most,
      falseVerdicts: verdicts.filter((verdict) => verdict.endsWith('faster')).length / SESSIONS,
      smallestDifference: DIFFERENCES.find((percent) => isFound(replay, percent)) ?? null,
      largestTried: DIFFERENCES.at(-1)
    }
  })
}

function pairLogs (a, b, rate) {
  const metric = primaryMetric([...a, ...b], rate)
  return a.map((block, i) => logRatio(block, b[i], metric))
}

function secondsPerRound (blocks) {
  const times = blocks.map(({ started }) => Date.parse(started))
  return (times.at(-1) - times[0]) / Math.max(1, times.length - 1) / 1000
}

function isFound (replay, percent) {
  const found = replaySessions(replay, Math.log(1 + percent / 100))
    .filter((verdict) => verdict === 'A faster' || (verdict === 'equivalent' && percent < replay.settings.threshold))
  return found.length >= FOUND * SESSIONS
}

function replaySessions ({ logs, most, settings }, difference) {
  const random = createRandom(1)
  const draw = () => pick(logs, random) * (random() < 0.5 ? 1 : -1) + difference
  return Array.from({ length: SESSIONS }, () => replaySession(draw, most, settings))
}

function replaySession (draw, most, settings) {
  const logs = []
  for (const look of planLooks(settings)) {
    while (logs.length < Math.min(look.pairs, most)) logs.push(draw())
    if (isSettled(logs, look, settings)) return decide(weigh(logs, look, settings), { ...settings, alpha: settings.alpha / settings.scenarios })
    if (logs.length === most) return 'inconclusive'
  }
}
