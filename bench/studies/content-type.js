'use strict'

// Why lib/core/match.js remembers the matches of Content-Type values, and what a
// client can make that cost. `node bench/studies/content-type.js`, a few seconds.

require('../packages')()

const path = require('node:path')
const { createHeaderMatch } = require('../../lib/core/match')
const { runCommand } = require('../../tools/command-line')
const { summarize } = require('../../tools/statistics')
const textTable = require('../../tools/text-table')

const ROOT = path.join(__dirname, '../..')
const contentType = require(require.resolve('content-type', { paths: [ROOT] })) // the version that lib/ uses

const FULL = { calls: 20_000, rounds: 15 }
const QUICK = { calls: 1000, rounds: 3 }
const DISTINCT = [2, 8, 9, 1000, 100_000]

const settings = {
  type: 'application/json',
  charsets: { allows: (charset) => charset.startsWith('utf-'), fallback: 'utf-8' },
  refusesUnknown: false
}

/** Each request brings new strings, as on a server. */
function headersOf (value) {
  return { 'content-length': '274', 'content-type': value.latin1Slice() }
}

/** ns per call, the values taken in turn. */
function time (work, values, { calls, rounds }) {
  const wire = values.map((value) => Buffer.from(value))
  const times = []
  for (let round = 0; round < rounds; round++) {
    const list = Array.from({ length: calls }, (_, call) => headersOf(wire[(round * calls + call) % wire.length]))
    const start = process.hrtime.bigint()
    for (const headers of list) work(headers)
    times.push(Number(process.hrtime.bigint() - start) / calls)
  }
  return summarize(times)
}

/** What a match would do for every request if it remembered nothing. */
function matchAnew (headers) {
  const { type, parameters } = contentType.parse(headers['content-type'])
  return type === 'application/json' ? parameters.charset?.toLowerCase() ?? 'utf-8' : null
}

function values (count, length) {
  return Array.from({ length: count }, (_, i) => `application/json; v=${i}`.padEnd(length, 'x'))
}

function main (repeats) {
  const line = (label, list) => {
    const match = createHeaderMatch(settings)
    const cells = [(headers) => match(null, headers), matchAnew].map((work) => {
      const { min, median } = time(work, list, repeats)
      return `${min.toFixed(0)} (${median.toFixed(0)})`
    })
    return [label, ...cells]
  }
  console.log(`Node ${process.version}`)
  console.log(textTable(['Content-Type: ns, minimum (median)', 'match', 'without memory'], [
    ...['application/json', 'application/json; charset=utf-8'].map((value) => line(value, [value])),
    ...DISTINCT.map((count) => line(`${count.toLocaleString('en')} distinct`, values(count, 0))),
    line('1 of 100 characters, which is not remembered', values(1, 100))
  ], { border: true }))
}

runCommand({
  usage: 'What remembering the matches of Content-Type values saves.\n\n  node bench/studies/content-type.js\n',
  options: { quick: { help: 'a first look' } },
  run: ({ values: { quick } }) => main(quick ? QUICK : FULL)
})
