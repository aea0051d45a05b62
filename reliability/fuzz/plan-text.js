'use strict'

// A case of the fuzzer as text, and what both made of it.

const { inspect } = require('node:util')

const LENGTH = 1500 // characters of a value that are shown
const PATHS = 6 // differing places that are shown

/**
 * The places in which two values of plain data differ.
 *
 * @returns {string[]} paths such as `steps.0.error.title`; `''` is the whole
 */
function differingPaths (one, other, path = '') {
  if (Object.is(one, other)) return []
  if (!isNode(one) || !isNode(other) || Array.isArray(one) !== Array.isArray(other)) return [path]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => differingPaths(one[name], other[name], path === '' ? name : `${path}.${name}`))
}

const isNode = (value) => typeof value === 'object' && value !== null

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

/** The parsers with their options, and what is sent to them, piece by piece. @param {import('./message').Plan} plan */
function planText ({ case: { before, stack, request: { coding } }, body, pieces, whole }) {
  return [
    `before: ${before}`,
    ...stack.map(sourceOf),
    'request:',
    ...pieces.map(({ bytes, pause }) => `  ${sourceOf(bytes.toString('latin1'))} (${pause})`),
    ...coding === undefined ? [] : [`  body in hexadecimal: ${body.toString('hex', 0, 500)}`],
    ...whole ? [] : ['the client ends the connection']
  ].join('\n')
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

module.exports = { describeFields, describeOutcomes, differingPaths, planText }
