'use strict'

const { summarize } = require('../../tools/statistics')
const { JSON_ALONE } = require('../measure/cold')

/** The competitors that budgets are about. */
const COMPARED = ['bare', 'listening', 'ours', 'body-parser']

const MEASURES = {
  overListening: { label: 'over listening', ratio: (pick) => over(pick('ours'), pick('body-parser'), pick('listening')) },
  over: { label: 'over bare', ratio: (pick) => over(pick('ours'), pick('body-parser'), pick('bare')) },
  total: { label: 'of body-parser', ratio: (pick) => pick('ours') / pick('body-parser') },
  bare: { label: 'of bare', ratio: (pick) => pick('ours') / pick('bare') }
}

/**
 * The budget of this package in a row, beside what was measured.
 *
 * @param {object} row as measureRow gives it
 * @returns {{ name: string, measure: string, most: number, best: number, middle?: number }[]}
 *   the ratio of the minimums, and that of the medians
 */
function judge ({ name, budget = {}, results }) {
  const verdicts = []
  for (const [key, { label, ratio }] of Object.entries(MEASURES)) {
    if (budget[key] === undefined) continue
    verdicts.push({
      name,
      measure: label,
      most: budget[key],
      best: ratio((who) => summarize(timesOf(results[who])).min),
      middle: ratio((who) => summarize(timesOf(results[who])).median)
    })
  }
  if (budget.heapOver !== undefined) {
    const best = over(...['ours', 'body-parser', 'bare'].map((who) => results[who].bytes?.heap ?? NaN))
    verdicts.push({ name, measure: 'over bare, heap', most: budget.heapOver, best })
  }
  return verdicts
}

/** Is it about differences that are small beside the times? */
function isClose ({ over, overListening, bare } = {}) {
  return [over, overListening, bare].some((most) => most !== undefined)
}

/** Without times, as after a wrong value, no budget is kept. */
function timesOf ({ times = [NaN] }) {
  return times
}

/**
 * The same for cold starts: the whole package beside the whole, and the JSON
 * parser alone beside the JSON parser alone.
 *
 * @param {ReturnType<import('../measure/cold').measureCold>} results
 */
function judgeCold (results) {
  const verdicts = ['', JSON_ALONE].map((part) => {
    const ours = summarize(results[`ours${part}`].times)
    const theirs = summarize(results[`body-parser${part}`].times)
    return {
      name: `cold require and one parser${part}`,
      measure: 'of body-parser',
      most: 0.3,
      best: ours.min / theirs.min,
      middle: ours.median / theirs.median
    }
  })
  const { modules } = results[`ours${JSON_ALONE}`]
  return [...verdicts, { name: `cold require and one parser${JSON_ALONE}`, measure: 'modules', most: 16, best: modules }]
}

/**
 * What is spent beyond the least, as a share of what body-parser spends beyond
 * it: 0 is as cheap as the least, 1 as dear as body-parser.
 */
function over (ours, bodyParser, least) {
  return (ours - least) / (bodyParser - least)
}

module.exports = { COMPARED, isClose, judge, judgeCold, over }
