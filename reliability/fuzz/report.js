'use strict'

// What is printed.

const { differingPaths } = require('./paths')
const rowsOf = require('./row')

const LENGTH = 1500 // characters of a value that are shown
const PATHS = 6 // differing places that are shown

/**
 * @param {object} found
 * @param {import('./plan').Plan} found.plan shrunk
 * @param {{ ours: object, theirs: object }} found.difference
 * @param {boolean} found.unsteady
 * @param {number} found.seed
 * @param {string} found.path
 * @returns {string}
 */
function describeDifference ({ plan, difference: { ours, theirs }, unsteady, seed, path }) {
  const paths = differingPaths(ours, theirs)
  const lines = [
    `DIFFERENCE${unsteady ? ', but not every time' : ''}: seed ${seed}, path ${path}`,
    '',
    rowsOf(plan, `is as in body-parser (fuzz: seed ${seed}, path ${path})`),
    ''
  ]
  for (const place of paths.slice(0, PATHS)) {
    lines.push(place, `  ours    ${show(at(ours, place))}`, `  theirs  ${show(at(theirs, place))}`)
  }
  if (paths.length > PATHS) lines.push(`and ${paths.length - PATHS} more places`)
  lines.push('', `ours    ${show(ours)}`, `theirs  ${show(theirs)}`, '', `again: npm run fuzz -- --seed=${seed} --path=${path}`, '')
  return lines.join('\n')
}

/** A case without a difference, as it was asked for. */
function describeSeen ({ plan, ours, rules, unsteady, seed, path }) {
  return [
    rowsOf(plan, `is as in body-parser (fuzz: seed ${seed}, path ${path})`),
    '',
    `ours    ${show(ours)}`,
    `${rules.map(({ name }) => `listed: ${name}\n`).join('')}${unsteady ? 'unsteady\n' : ''}`
  ].join('\n')
}

function at (outcome, path) {
  return path.split('.').reduce((value, name) => value?.[name], outcome)
}

function show (value) {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}... (${text.length} characters)` : text
}

/**
 * @param {import('./tally')} tally
 * @param {object} run
 * @param {number} run.seconds
 * @param {number} run.seed
 * @param {boolean} run.interrupted
 */
function describeEnd (tally, { seconds, seed, interrupted }) {
  const { cases, differences, failures } = tally
  const verdict = differences === 0 && failures === 0
    ? 'no difference from body-parser beyond docs/differences.md'
    : `${differences} difference${differences === 1 ? '' : 's'} from body-parser${failures === 0 ? '' : `, ${failures} broken off`}`
  return [
    `${cases.toLocaleString('en')} ${cases === 1 ? 'case' : 'cases'} from seed ${seed} in ${seconds.toFixed(1)} s (${Math.round(cases / seconds)}/s)${interrupted ? ', then interrupted' : ''}: ${verdict}`,
    '',
    'listed differences met:',
    ...table(tally.rules),
    'results of requests:',
    ...table(tally.met),
    tally.unsteady > 0 ? `unsteady, but at times as in body-parser: ${tally.unsteady}, such as ${tally.examples.join('; ')}\n` : ''
  ].join('\n')
}

function table (counts) {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
  if (rows.length === 0) return ['       none', '']
  return [...rows.map(([name, count]) => `${count.toLocaleString('en').padStart(11)}  ${name}`), '']
}

module.exports = { describeDifference, describeEnd, describeSeen }
