'use strict'

// Why lib/gate.js remembers what a Content-Type means, and what strangers can
// make of that. `node bench/gate.js`, a few seconds.

const path = require('node:path')
const { createGate } = require('../lib/gate')
const { summarize } = require('./stats')
const { draw } = require('./table')

const ROOT = path.join(__dirname, '..')
const contentType = require(require.resolve('content-type', { paths: [ROOT] })) // the gate's own

const CALLS = 20000
const ROUNDS = 15
const DISTINCT = [1, 10, 64, 65, 1000, 100000]

const settings = {
  type: 'application/json',
  charsets: { allows: (charset) => charset.startsWith('utf-'), fallback: 'utf-8' },
  early: false
}
const req = { complete: false, socket: { readable: true }, readable: true, upgrade: null, body: undefined }

function headersOf (value) {
  return { 'content-length': '274', 'content-type': value }
}

/** ns per call, the parameter being one of so many. */
function time (work, values) {
  const list = values.map(headersOf)
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < CALLS; call++) work(list[call % list.length])
    times.push(Number(process.hrtime.bigint() - start) / CALLS)
  }
  return summarize(times)
}

/** What the gate would do for every request if it remembered nothing. */
function decide (headers) {
  const header = headers['content-type']
  if (contentType.parse(header).type !== 'application/json') return null
  return contentType.parse(header).parameters.charset?.toLowerCase() ?? 'utf-8'
}

function values (count, length) {
  return Array.from({ length: count }, (_, i) => `application/json; v=${i}`.padEnd(length, 'x'))
}

const lines = []
for (const [label, length] of [['short', 0], ['over the length that is remembered', 100]]) {
  for (const count of DISTINCT) {
    const gate = createGate(settings)
    const list = values(count, length)
    const remembered = time((headers) => gate(req, headers), list)
    const decided = time(decide, list)
    lines.push([
      `${count.toLocaleString('en')} ${label}`,
      `${remembered.min.toFixed(0)} (${remembered.median.toFixed(0)})`,
      `${decided.min.toFixed(0)} (${decided.median.toFixed(0)})`
    ])
  }
}
console.log(`Node ${process.version}`)
console.log(draw(['distinct values: ns, minimum (median)', 'the gate', 'deciding alone'], lines))
