'use strict'

// The end of a run of the fuzzer.

/** @param {import('./run').Tally} tally */
function describeEnd ({ cases, differences, met, rules, unsteady }, { seconds, seed }) {
  const speed = `${seconds.toFixed(1)} s (${Math.round(cases / seconds)}/s)`
  const verdict = differences === 0 ? 'no difference beyond the listed ones' : `differences: ${differences}`
  const explained = Object.entries(rules)
    .map(([name, { count, example }]) => [example === undefined ? name : `${name}\n${example}`, count])
  return [
    `${cases} cases from seed ${seed} in ${speed}: ${verdict}`,
    'listed differences met:',
    ...sorted(explained),
    'results of cases:',
    ...sorted(Object.entries(met)),
    ...unsteady.map((where) => `unsteady, but at times equal: ${where}`)
  ].join('\n')
}

const sorted = (rows) => rows.sort(([, one], [, other]) => other - one)
  .map(([name, count]) => `${String(count).padStart(11)}  ${name}`)

module.exports = { describeEnd }
