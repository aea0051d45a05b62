'use strict'

// The output of the fuzzer.

const { inspect } = require('node:util')
const { differingPaths } = require('./paths')

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
  const at = (outcome, place) => place.split('.').reduce((value, name) => value?.[name], outcome)
  const both = (one, other) => `ours    ${show(one)}\ntheirs  ${show(other)}\n`
  return [
    `DIFFERENCE${unsteady ? ', but not every time' : ''}: seed ${seed}, path ${path}\n`,
    `${planText(plan)}\n`,
    ...paths.slice(0, PATHS).map((place) => `${place}\n${both(at(ours, place), at(theirs, place))}`),
    `${paths.length} places differ\n`,
    both(ours, theirs),
    `again: npm run fuzz -- --seed=${seed} --path=${path}\n`
  ].join('\n')
}

/** The parsers with their options, and what is sent to them, piece by piece. */
function planText ({ case: { before, stack }, messages, end }) {
  const requests = messages.flatMap(({ pieces, join, body, request: { coding } }, index) => [
    `request${index > 0 ? `, ${join}` : ''}:`,
    ...pieces.map(({ bytes, pause }) => `  ${sourceOf(bytes.toString('latin1'))} (${pause})`),
    ...coding === undefined ? [] : [`  body in hexadecimal: ${body.toString('hex', 0, 500)}`]
  ])
  return [`before: ${before}`, ...stack.map(sourceOf), ...requests, `end: ${sourceOf(end)}`].join('\n')
}

/** A value with the source of its functions. */
function sourceOf (value) {
  if (typeof value === 'function') return String(value)
  if (value === null || Object.getPrototypeOf(Object(value)) !== Object.prototype) {
    return inspect(value, { depth: 5, maxStringLength: 1000 })
  }
  return `{ ${Object.entries(value).map(([name, field]) => `${name}: ${sourceOf(field)}`).join(', ')} }`
}

function show (value) {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}... (${text.length} characters)` : text
}

/** @param {{ cases: number, differences: number, unsteady: string[], rules: object, met: object }} tally */
function describeEnd ({ cases, differences, unsteady, rules, met }, { seconds, seed }) {
  const speed = `${seconds.toFixed(1)} s (${Math.round(cases / seconds)}/s)`
  const verdict = differences === 0 ? 'no difference beyond docs/differences.md' : `differences: ${differences}`
  return [
    `${cases} cases from seed ${seed} in ${speed}: ${verdict}`,
    'listed differences met:',
    ...table(rules),
    'results of requests:',
    ...table(met),
    ...unsteady.map((where) => `unsteady, but at times as in body-parser: ${where}`)
  ].join('\n')
}

function table (counts) {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return rows.map(([name, count]) => `${String(count).padStart(11)}  ${name}`)
}

module.exports = { describeDifference, describeEnd }
