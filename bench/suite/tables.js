'use strict'

const { summarize } = require('../../tools/statistics')
const textTable = require('../../tools/text-table')
const { formatExponent } = require('./exponents')

const draw = (head, rows) => textTable(head, rows, { border: true })

/**
 * ns per request of every competitor in every row: the minimum, and below it
 * the median and half of the spread.
 *
 * @param {object[]} rows as measureRow gives them
 * @param {import('../competitors').Competitor[]} competitors
 */
function times (rows, competitors) {
  const lines = rows.map(({ name, results }) =>
    [name, ...competitors.map((one) => timeCell(results[one.name]))])
  return draw(['ns per request', ...namesOf(competitors)], [
    ['checks made', ...competitors.map(({ checks }) => checks.join('\n') || 'none')],
    ...lines
  ])
}

function timeCell ({ times, lacks, wrong }) {
  if (lacks !== undefined) return `no ${lacks.join(',\n')}`
  if (wrong !== undefined) return `wrong:\n${wrong}`
  return cell(summarize(times), number)
}

/** Allocated per request: bytes on the heap, in array buffers, and how often. */
function bytes (rows, competitors) {
  return draw(['allocated per request', ...namesOf(competitors)], rows.map(({ name, results }) =>
    [name, ...competitors.map((one) => bytesCell(results[one.name].bytes))]))
}

function bytesCell (bytes) {
  if (bytes === undefined) return ''
  return `${rough(bytes.heap)} B\n+ ${rough(Math.max(bytes.buffers, 0))} B\n${number(bytes.allocations)} times`
}

/** @param {ReturnType<import('./exponents').exponentsOf>[]} series */
function scaling (series) {
  const names = Object.keys(series[0].exponents)
  return draw(['exponent of the cost', ...names], series.map(({ name, exponents }) =>
    [name, ...names.map((competitor) => exponentCell(exponents[competitor]))]))
}

/** @returns {string} with a mark if the cost grows faster than the work */
function exponentCell (value) {
  const text = formatExponent(value)
  return Number(text) > 1 ? `${text} (over 1)` : text
}

/** @param {ReturnType<import('../measure/cold').measureCold>} results */
function cold (results) {
  return draw(['cold start', 'ms', 'modules'], Object.entries(results).map(([name, { times, modules }]) =>
    [name, cell(summarize(times), (ms) => ms.toFixed(1)), modules]))
}

/** @param {Record<string, Awaited<ReturnType<import('../servers/memory')>>>} results in bytes */
function memory (results) {
  const mib = (bytes) => number(bytes / 2 ** 20)
  return draw(['peak MiB of a server, bodies of 5 MB', 'one body', '50 at a time', 'three times 50'], Object.entries(results).map(
    ([name, { first, one, three }]) => [name, ...[first, one, three].map((sizes) => cell(summarize(sizes), mib))]))
}

/** @param {Record<string, { packages: number, bytes: number }>} results */
function footprint (results) {
  return draw(['installed', 'dependencies', 'KB'], Object.entries(results).map(
    ([name, { packages, bytes }]) => [name, packages, number(bytes / 1000)]))
}

/** @param {ReturnType<import('./budgets').judge>} verdicts */
function budgets (verdicts) {
  return draw(['budget of this package', 'ratio', 'at most', 'minimums', 'medians', ''], verdicts.map(
    ({ name, measure, most, best, middle }) => [
      name, measure, most, best.toFixed(3), middle === undefined ? '' : middle.toFixed(3),
      best <= most ? 'kept' : 'MISSED'
    ]))
}

function namesOf (competitors) {
  return competitors.map(({ name }) => name.replace(/[ -]/, '\n'))
}

function cell ({ min, median, spread }, format) {
  return `${format(min)}\n${format(median)} ±${Math.round(spread * 50)}%`
}

/** To three digits: the next one differs from run to run. */
function rough (value) {
  return number(Number(value.toPrecision(3)))
}

function number (value) {
  return Math.round(value).toLocaleString('en')
}

module.exports = { budgets, bytes, cold, footprint, memory, scaling, times }
