'use strict'

// A case of the fuzzer as text, and what both made of it.

const { inspect } = require('node:util')
const { differingPaths } = require('./paths')

const LENGTH = 1500 // characters of a value that are shown
const PATHS = 6 // differing places that are shown

/** @param {{ ours: object, theirs: object }} difference */
function describeOutcomes ({ ours, theirs }) {
  const paths = differingPaths(ours, theirs)
  const at = (outcome, place) => place.split('.').reduce((value, name) => value?.[name], outcome)
  const both = (one, other) => `ours    ${show(one)}\ntheirs  ${show(other)}\n`
  return [
    ...paths.slice(0, PATHS).map((place) => `${place}\n${both(at(ours, place), at(theirs, place))}`),
    `${paths.length} places differ\n`,
    both(ours, theirs)
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

/** @param {Record<string, unknown>} fields plain data */
function describeFields (fields) {
  const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
  return lines.join('\n').replace(/(.)\1{19,}/g, '$1...')
}

module.exports = { describeFields, describeOutcomes, planText }
