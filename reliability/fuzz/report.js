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
  const lines = [`DIFFERENCE${unsteady ? ', but not every time' : ''}: seed ${seed}, path ${path}`, '', planText(plan), '']
  for (const place of paths.slice(0, PATHS)) {
    lines.push(place, `  ours    ${show(at(ours, place))}`, `  theirs  ${show(at(theirs, place))}`)
  }
  if (paths.length > PATHS) lines.push(`and ${paths.length - PATHS} more places`)
  lines.push('', `ours    ${show(ours)}`, `theirs  ${show(theirs)}`, '', `again: npm run fuzz -- --seed=${seed} --path=${path}`, '')
  return lines.join('\n')
}

/** A case without a difference, which --path asked for. */
function describeSeen ({ plan, ours, rules, unsteady }) {
  return `${planText(plan)}\n\nours    ${show(ours)}\n${rules.map(({ name }) => `listed: ${name}\n`).join('')}${unsteady ? 'unsteady\n' : ''}`
}

/** The parsers with their options, and what is sent to them, piece by piece. */
function planText ({ case: { before, stack }, messages, end }) {
  const source = (value) => typeof value === 'function' ? String(value) : inspect(value, { depth: 5, maxStringLength: 300, breakLength: Infinity })
  const optionsText = (options) => typeof options !== 'object' || options === null ? source(options) : `{ ${Object.entries(options).map(([name, value]) => `${name}: ${source(value)}`).join(', ')} }`
  return [
    ...before === undefined ? [] : [`before: ${before}`],
    ...stack.map(({ parser, options, gap }, index) => `${parser}(${options === undefined ? '' : optionsText(options)})${index < stack.length - 1 ? ` then ${gap}` : ''}`),
    ...messages.flatMap(({ pieces, join, body, request: { coding } }, index) => [
      `request${index > 0 ? `, ${join}` : ''}:`,
      ...pieces.map(({ bytes, pause }) => `  ${source(bytes.toString('latin1', 0, 1000))}${bytes.length > 1000 ? ` and ${bytes.length - 1000} bytes` : ''} (${pause})`),
      ...coding === undefined ? [] : [`  body in hexadecimal: ${body.toString('hex', 0, 500)}`]
    ]),
    ...end.how === 'keep' ? [] : [`then ${end.how} at ${end.at} thousandths, ${end.pause}`]
  ].join('\n')
}

function at (outcome, path) {
  return path.split('.').reduce((value, name) => value?.[name], outcome)
}

function show (value) {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}... (${text.length} characters)` : text
}

/** @param {{ cases: number, differences: number, unsteady: string[], rules: object, met: object }} tally */
function describeEnd ({ cases, differences, unsteady, rules, met }, { seconds, seed, isInterrupted }) {
  const verdict = differences === 0 ? 'no difference from body-parser beyond docs/differences.md' : `${differences} difference${differences === 1 ? '' : 's'} from body-parser`
  return [
    `${cases.toLocaleString('en')} ${cases === 1 ? 'case' : 'cases'} from seed ${seed} in ${seconds.toFixed(1)} s (${Math.round(cases / seconds)}/s)${isInterrupted ? ', then interrupted' : ''}: ${verdict}`,
    '',
    'listed differences met:',
    ...table(rules),
    'results of requests:',
    ...table(met),
    unsteady.length > 0 ? `unsteady, but at times as in body-parser, such as ${unsteady.join('; ')}\n` : ''
  ].join('\n')
}

function table (counts) {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
  if (rows.length === 0) return ['       none', '']
  return [...rows.map(([name, count]) => `${count.toLocaleString('en').padStart(11)}  ${name}`), '']
}

module.exports = { describeDifference, describeEnd, describeSeen }
