'use strict'

// Why lib/gate.js remembers what a Content-Type means, and what strangers can
// make of that. `node bench/gate.js`, a few seconds.

require('./install').installCompetitors()

const path = require('node:path')
const { createGate } = require('../lib/gate')
const { summarize } = require('./stats')
const { draw } = require('./table')

const ROOT = path.join(__dirname, '..')
const contentType = require(require.resolve('content-type', { paths: [ROOT] })) // the gate's own

const CALLS = 20000
const ROUNDS = 15
const DISTINCT = [2, 8, 9, 1000, 100_000]

const settings = {
  type: 'application/json',
  charsets: { allows: (charset) => charset.startsWith('utf-'), fallback: 'utf-8' },
  early: false
}
const req = { complete: false, socket: { readable: true }, readable: true, upgrade: null, body: undefined }

/** Each request brings strings of its own, as it does on a server. */
function headersOf (value) {
  return { 'content-length': '274', 'content-type': value.latin1Slice() }
}

/** ns per call, the values taken in turn. */
function time (work, values) {
  const wire = values.map((value) => Buffer.from(value))
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const list = Array.from({ length: CALLS }, (_, call) => headersOf(wire[(round * CALLS + call) % wire.length]))
    const start = process.hrtime.bigint()
    for (const headers of list) work(headers)
    times.push(Number(process.hrtime.bigint() - start) / CALLS)
  }
  return summarize(times)
}

/** What the gate would do for every request if it remembered nothing. */
function decide (headers) {
  const { type, parameters } = contentType.parse(headers['content-type'])
  return type === 'application/json' ? parameters.charset?.toLowerCase() ?? 'utf-8' : null
}

function values (count, length) {
  return Array.from({ length: count }, (_, i) => `application/json; v=${i}`.padEnd(length, 'x'))
}

function line (label, list) {
  const gate = createGate(settings)
  const cells = [(headers) => gate(req, headers), decide].map((work) => {
    const { min, median } = time(work, list)
    return `${min.toFixed(0)} (${median.toFixed(0)})`
  })
  return [label, ...cells]
}

console.log(`Node ${process.version}`)
console.log(draw(['Content-Type: ns, minimum (median)', 'the gate', 'deciding alone'], [
  ...['application/json', 'application/json; charset=utf-8'].map((value) => line(value, [value])),
  ...DISTINCT.map((count) => line(`${count.toLocaleString('en')} distinct`, values(count, 0))),
  line('1 of 100 characters, which is not remembered', values(1, 100))
]))
