'use strict'

const { SERIES } = require('../studies/scaling')
const { judge, judgeCold } = require('./budgets')
const { exponentsOf } = require('./exponents')
const sections = require('./sections')
const tables = require('./tables')

/** @param {object} results as run.js collects them */
function print ({ node, machine, requests, rows = [], cold, memory, footprint }) {
  console.log(`Node ${node}, ${machine}, ${requests} requests`)
  for (const [section, { competitors }] of Object.entries(sections)) {
    const measured = rows.filter((row) => row.section === section)
    if (measured.length === 0) continue
    console.log(tables.times(measured, competitors))
    const counted = measured.filter(({ results }) => Object.values(results).some(({ bytes }) => bytes !== undefined))
    if (counted.length > 0) console.log(tables.bytes(counted, competitors))
  }
  const series = SERIES.map((one) => exponentsOf(one, rows)).filter((one) => one !== null)
  if (series.length > 0) console.log(tables.scaling(series))
  if (cold !== undefined) console.log(tables.cold(cold))
  if (memory !== undefined) console.log(tables.memory(memory))
  if (footprint !== undefined) console.log(tables.footprint(footprint))
  const verdicts = [...rows.flatMap(judge), ...(cold === undefined ? [] : judgeCold(cold))]
  if (verdicts.length > 0) console.log(tables.budgets(verdicts))
}

module.exports = print
