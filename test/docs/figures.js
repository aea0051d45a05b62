'use strict'

// The figures that pages quote are those of the files that commands wrote: bench/figures/ (--keep), bench/summary.md
// (--summary) and perf/comparisons/ (--gains). Several runs, such as those of two machines, are quoted as a range.
// UPDATE=1 npx mocha test/docs/figures.js writes new figures into the pages, wherever their text is as it was.

const assert = require('node:assert/strict')
const { readdirSync, writeFileSync } = require('node:fs')
const { runText } = require('../../tools/machine')
const { ROOT, read } = require('../support/pages')

const number = (value) => value.toLocaleString('en', { maximumFractionDigits: 0 })
const rounded = (digits) => (value) => (Math.round((value + 1e-9) * 10 ** digits) / 10 ** digits).toFixed(digits)

/** @returns {string} the lowest and the highest of the figures, or the one that all are */
function range (figures, text = rounded(2)) {
  assert.ok(figures.length > 0 && figures.every(Number.isFinite), `no figures: [${figures}]`)
  const ends = [Math.min(...figures), Math.max(...figures)].map(text)
  return ends[0] === ends[1] ? ends[0] : ends.join(' to ')
}

/** What `npm run bench -- NAME --keep=bench/figures/NAME.json` wrote. */
const runsOf = (name) => require(`${ROOT}/bench/figures/${name}.json`).runs

/** @returns {string[]} the cell of each run that has such a row and column, in the first table that does */
function cellsOf (name, row, column, node = '') {
  return runsOf(name).filter((run) => run.node.startsWith(node)).flatMap(({ tables }) => {
    const table = tables.find(({ head, rows }) => head.includes(column) && rows.some(([first]) => first === row))
    return table === undefined ? [] : String(table.rows.find(([first]) => first === row)[table.head.indexOf(column)])
  })
}

const valuesOf = (...where) => cellsOf(...where).map((cell) => parseFloat(cell))
const ratiosOf = (...where) => cellsOf(...where).map((cell) => parseFloat(/\((.*)\)$/.exec(cell)?.[1]))

/** @returns {number[]} of each pair of a row and a column */
const all = (figuresOf, name, rows, columns) =>
  rows.flatMap((row) => columns.flatMap((column) => figuresOf(name, row, column)))

/** As in the tables of bench/: µs, and the ratio to a peer. */
function both (...where) {
  const ratio = (value) => rounded(value < 5 ? 2 : 1)(value)
  return `${range(valuesOf(...where), number)} (${range(ratiosOf(...where), ratio)})`
}

const rowOf = (...cells) => `| ${cells.join(' | ')} |`

/** The commits that a page names for its figures. */
const commitsOf = (name) => runsOf(name).map(({ commit }) => commit)

// Gains

const GAINS = readdirSync(`${ROOT}/perf/comparisons`).filter((name) => name.startsWith('gains-'))
  .map((name) => require(`${ROOT}/perf/comparisons/${name}`))
const lessOf = (ratio) => (1 / ratio - 1) * 100
const signed = (change) => `${change < 0 ? '-' : '+'}${rounded(1)(Math.abs(change))}`
const wordOf = (change) => `${rounded(1)(Math.abs(change))} % ${change < 0 ? 'less' : 'more'}`

/** @returns {{ changes: number[], ends: number[] }} in %, of each run; the ends of the intervals of all */
function changesOf (name) {
  const figures = GAINS.map(({ workloads }) => workloads[name]['body-parser'].cpu.map(lessOf))
  return { changes: figures.map(([change]) => change), ends: figures.flatMap(([, ...ends]) => ends) }
}

const sizes = (changes) => range(changes.map(Math.abs), rounded(1))

/** Such as `10.5 to 12.8 % less`, `0.8 to 3.9 % more`, or `6.5 % less to 16.7 % more`. */
function wordsOf (changes) {
  const [least, most] = [Math.min(...changes), Math.max(...changes)]
  if (least < 0 && most >= 0) return range(changes, wordOf)
  return `${sizes(changes)} % ${most < 0 ? 'less' : 'more'}`
}

/** Less is what the sentence of the gains is about, so it is said only where more is possible as well. */
function gainOf (name) {
  const { changes, ends } = changesOf(name)
  return {
    change: changes.every((change) => change < 0) ? `${sizes(changes)} %` : wordsOf(changes),
    interval: ends.every((end) => end < 0) ? sizes(ends) : wordsOf(ends)
  }
}

function gainsRow (name) {
  const { changes, ends } = changesOf(name)
  const us = [1, 0].map((side) => range(GAINS.map(({ workloads }) => workloads[name]['body-parser'].us[side]), number))
  return rowOf(GAINS[0].workloads[name].what, ...us, `${range(changes, signed)} % (${range(ends, signed)} %)`)
}

function gainsOfReadme () {
  const said = ([name, what, note = '']) => {
    const { change, interval } = gainOf(name)
    return `${change} for ${what} (${note}${interval})`
  }
  const { change, interval } = gainOf('express5-json-large')
  return [
    ...[
      ['express5-json', 'JSON of 300 B', '99 % interval: '],
      ['express5-urlencoded', 'a form of 5 fields'],
      ['express5-json-medium', 'JSON of 6.5 KB'],
      ['express5-json-medium-gzip', 'that in gzip'],
      ['express5-raw-60kb', '60 KB of bytes']
    ].map(said),
    `208 KB took ${change} (${interval})`,
    runText(GAINS[0]) // the run of the picture
  ]
}

// bench/summary.md

const summaryRatios = (pattern) => Array.from(read('bench/summary.md').matchAll(/^\| (.*?) \|.*\| ([\d.]+) \|$/gm))
  .filter(([, name]) => pattern.test(name)).map(([, , ratio]) => Number(ratio))
/** Of the table that is put together from several runs of `web`. */
const medians = () => Array.from(read('bench/web.md').matchAll(/^\| \w+, [\d.]+ K?B \|.* ([\d.]+) \([\d.]+\) \|$/gm),
  ([, median]) => Number(median))

const inKeys = () => range(summaryRatios(/escapes in .*keys/), rounded(1))

// Tables

const UPLOADS = { '20 fields': '20 fields', 'a file of 100 KB': '100 KB file', 'a file of 1 MB': '1 MB file' }
const ARRAYS = { compact: ['208 KB', '100 MB'], indented: ['352 KB', '170 MB'], nested: [] }
const ITEMS = {
  'jsonArray, items': 'items',
  'jsonArray, batches of 500': 'batches of 500',
  'ndjson, items': '`ndjson`, items',
  'ndjson, batches of 500': '`ndjson`, batches'
}
const BY_LINE = ['ndjson, items', 'ndjson, batches of 500']
const BY_ITEM = ['jsonArray, items', 'jsonArray, batches of 500']
const [{ tables: [{ head: [, , ...READERS] }] }] = runsOf('json-array') // all but JSON.parse
const arrays = ['500', '240,000'].flatMap((count, i) => Object.entries(ARRAYS).map(([shape, sizes]) => {
  return { row: `${count} records, ${shape}`, size: sizes[i] === undefined ? '' : ` (${sizes[i]})` }
}))
const arrayRows = arrays.map(({ row }) => row)
const LINES = {
  'split2, `for await`': 'split2, for await',
  "split2, `on('data')`": 'split2, on data',
  '`ndjson`, `for await`': 'ndjson, items',
  '`ndjson`, `batches(500)`': 'ndjson, batches of 500',
  '`JSON.parse`, a promise each': 'JSON.parse, a promise each',
  '`JSON.parse` alone': 'JSON.parse alone'
}
const SIZES = ['50', '200', '2000'].map((size) => `records of ${size} B`)
const RUNTIMES = ['Node', 'Bun', 'Deno']
const FORMS = {
  'a server of `node:http`, discarded': 'node:http alone, discarded',
  'the stream alone, discarded': 'the stream alone, discarded',
  'a store that discards': 'a store that discards',
  'a slow store': 'a slow store',
  '`multipart.disk`': 'multipart.disk',
  'part by part': 'part by part',
  'a store that never reads': 'a store that never reads',
  '@remix-run/multipart-parser, a quarter of it': '@remix-run/multipart-parser, a quarter',
  '`request.formData()`, a quarter of it': 'formData(), a quarter'
}
const OURS = ['a store that discards', 'a slow store', 'multipart.disk', 'part by part']
const BURSTS = ['as it is', '--max-semi-space-size=4', 'body-parser, as it is']

const oneBody = (parser, megabytes) =>
  range(valuesOf('large-bodies', `${parser}, ${megabytes} MB`, 'MB above idle'), number)
const seconds = (parser, megabytes) =>
  range(valuesOf('large-bodies', `${parser}, ${megabytes} MB`, 'least s of CPU time'), rounded(1))
const upload = (row, column) => range(ratiosOf('multipart', row, column))
const lastBurst = (row) => range(valuesOf('memory', row, '3'), number)

/** Page -> what it must have. */
const QUOTES = {
  'README.md': () => [...gainsOfReadme(), `[${inKeys()} times as long]`],
  'docs/images/cpu.svg': () => Object.entries(GAINS[0].workloads).filter(([name]) => name !== 'express5-json-large')
    .flatMap(([, { 'body-parser': { us: [ours, theirs] } }]) => {
      return [`>${number(theirs)} us body-parser<`, `>${number(ours)} us fast-body-parser<`]
    }),
  'docs/images/memory.svg': () => {
    return runsOf('upload-memory').at(-1).tables[0].rows.flatMap(([way, median]) => [`>${way}<`, `>${median} MB <`])
  },
  'docs/benchmarks.md': () => [
    ...GAINS.map(runText),
    ...Object.keys(GAINS[0].workloads).map(gainsRow),
    `records of 50 B: ${range(all(ratiosOf, 'ndjson', SIZES.slice(0, 1), BY_LINE))} times`,
    `of 200 B and more, ${range(all(ratiosOf, 'ndjson', SIZES.slice(1), BY_LINE))}`,
    `alone reaches ${range(all(ratiosOf, 'ndjson', SIZES.slice(1), ['JSON.parse alone']))}`,
    `JSON: ${range(medians())} times`,
    ...commitsOf('upload-memory')
  ],
  'docs/differences.md': () => [
    `takes ${inKeys()} times as long as with body-parser where keys have escapes`,
    `${range(summaryRatios(/escapes in values/), rounded(1))} times where values alone`,
    /, (2\d{3}-\d\d-\d\d, commit \w+)/.exec(read('bench/summary.md'))[1]
  ],
  'docs/deployment.md': () => [
    `its resident set is ${lastBurst(BURSTS[0])} MB larger (body-parser: ${lastBurst(BURSTS[2])} MB)`,
    `and ${lastBurst(BURSTS[1])} MB with`
  ],
  'docs/json-array.md': () => [
    `takes ${range(all(ratiosOf, 'json-array', arrayRows, BY_ITEM), rounded(1))} times as long as`,
    `stream-json takes ${range(all(ratiosOf, 'json-array', arrayRows, ['stream-json']), rounded(0))} times`,
    ...['json()', 'json({ cooperative: true })', 'jsonArray()', 'ndjson()'].map((parser) => {
      const memory = [1, 10, 100].map((megabytes) => `${oneBody(parser, megabytes)} MB`)
      return rowOf(`\`${parser}\``, ...memory, `${seconds(parser, 100)} s`)
    }),
    `\`jsonArray()\` took ${oneBody('jsonArray()', 1000)} MB, and ${seconds('jsonArray()', 1000)} s`,
    `An import of 1 GB takes ${cellsOf('large-bodies', 'examples/json-import.js, 1000 MB', 'least-most')[0]
      .replace('-', ' to ')} MB`,
    ...commitsOf('large-bodies')
  ],
  'docs/multipart.md': () => [
    ...Object.entries({ ...UPLOADS, 'a file of 10 MB': '10 MB file' }).map(([label, row]) => {
      const ways = ['ours, memory', 'ours, disk', 'entry, memory', 'entry, disk']
      return rowOf(label, ...ways.map((way) => upload(`express, ${row}`, way)))
    }),
    `without a parser, takes ${upload('express, 10 MB file', 'join')}.`,
    `20 fields take ${upload('parsers, 20 fields', 'ours, memory')}, and a file of 10 MB to a function ` +
      upload('parsers, 10 MB file', 'ours, events'),
    `peak at ${range(valuesOf('multipart', 'memory', 'ours, disk'), number)} MB above idle, with multer at ` +
      range(valuesOf('multipart', 'memory', 'multer, disk'), number),
    ...commitsOf('multipart')
  ],
  'docs/web.md': () => [
    `holds ${range(all(valuesOf, 'web-memory', OURS, RUNTIMES), number)} MB more than idle`,
    `takes ${range(all(valuesOf, 'web-memory', ['formData(), a quarter'], RUNTIMES), number)} MB for a quarter`,
    `20 fields take ${range(all(ratiosOf, 'web-forms', RUNTIMES.map((name) => `${name}, 20 fields`), ['ours']))}`,
    `a file of 10 MB ${range(all(ratiosOf, 'web-forms', RUNTIMES.map((name) => `${name}, 10 MB file`),
      ['ours', 'ours, store']))}`
  ],
  'bench/README.md': () => [
    ...['as it is', '`NODE_OPTIONS=--max-semi-space-size=4`', 'body-parser, as it is'].map((label, i) => {
      return rowOf(label, ...['1', '2', '3'].map((burst) => range(valuesOf('memory', BURSTS[i], burst), number)))
    }),
    ...commitsOf('memory')
  ],
  'bench/records.md': () => [
    ...Object.entries(LINES).map(([label, way]) => {
      return rowOf(label, ...['v24', 'v26'].flatMap((node) => SIZES.map((row) => both('ndjson', row, way, node))))
    }),
    `${rowOf('', '`JSON.parse`', ...READERS.map((way) => ITEMS[way] ?? way))}\n|---|--:|${'--:|'.repeat(READERS.length)}`
      .replace('|  |', '| |'),
    ...arrays.map(({ row, size }) => {
      const whole = range(valuesOf('json-array', row, 'JSON.parse'), number)
      return rowOf(row + size, whole, ...READERS.map((way) => both('json-array', row, way)))
    }),
    ...commitsOf('ndjson'), ...commitsOf('json-array')
  ],
  'bench/web.md': () => [
    ...Object.entries(FORMS).map(([label, row]) => {
      return rowOf(label, ...RUNTIMES.map((runtime) => range(valuesOf('web-memory', row, runtime), number)))
    }),
    ...RUNTIMES.flatMap((name) => [['20 fields', []], ['10 MB file', ['ours, store']]].map(([form, store]) => {
      const row = `${name}, ${form}`
      const cell = (way) => both('web-forms', row, way)
      const peer = range(valuesOf('web-forms', row, '@remix-run/multipart-parser'), number)
      const label = `${name === 'Node' ? 'Node.js' : name}, ${form.replace('10 MB file', 'a file of 10 MB')}`
      return rowOf(label, cell('ours'), store.map(cell).join(), peer, cell('formData()')).replace('|  |', '| |')
    })),
    ...commitsOf('web-memory'), ...commitsOf('web-forms')
  ]
}

const FIGURE = /[+-]?\d[\d,.]*(?<![,.])(?: % (?:less|more))?(?: to [+-]?\d[\d,.]*(?<![,.])(?: % (?:less|more))?)?/
const COMMIT = /\d{4}-\d\d-\d\d, commit \w+/
const MACHINE = new RegExp(`Node\\.js v\\S+, .*?, \\d+ cores, ${COMMIT.source}`)

/** @returns {string | undefined} what stands in a page for a text: other figures, or a row that begins as it does */
function formerOf (expected, text) {
  const escape = (part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  const kinds = [MACHINE, COMMIT, FIGURE].map(({ source }) => source)
  const parts = expected.split(new RegExp(`(${kinds.join('|')})`)).map((part, i) => {
    return i % 2 === 0 ? escape(part) : kinds.find((kind) => new RegExp(`^(?:${kind})$`).test(part))
  })
  const row = /^\| .+? \|/.exec(expected)?.[0]
  const below = expected.includes('\n') ? '\n.*' : '' // of the head of a table
  const patterns = [...row === undefined ? [] : [`^${escape(row)}.*${below}$`], parts.join('')]
  for (const pattern of patterns) {
    const found = text.match(new RegExp(pattern, 'gm')) ?? []
    if (found.length === 1) return found[0]
  }
}

/** @returns {string} what to write in a page, line by line; `none`: to be found by hand, or drawn anew */
function changesTo (page, expected) {
  const missing = (text) => expected.filter((one) => !text.includes(one))
  let text = read(page)
  if (process.env.UPDATE === '1') {
    for (const one of missing(text)) text = text.replace(formerOf(one, text) ?? one, () => one)
    writeFileSync(`${ROOT}/${page}`, text)
  }
  return missing(text).map((one) => `- ${formerOf(one, text) ?? 'none'}\n+ ${one}`).join('\n')
}

describe('figures', () => {
  for (const [page, textsOf] of Object.entries(QUOTES)) {
    it(`of ${page} are those that commands wrote`, () => {
      const changes = changesTo(page, textsOf())
      if (changes !== '') assert.fail(`${page} must have\n${changes}`)
    })
  }
})
