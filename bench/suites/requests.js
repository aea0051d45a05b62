'use strict'

// npm run bench, without a name: what a request costs in one process, by parser.

const { version } = require('body-parser/package.json')
const { markdownTable } = require('../../tools/text-table')
const { ableTo, competitors } = require('../competitors')
const { inWorker } = require('../processes')
const rows = require('../rows')
const { fieldOf, lowest, tableOf } = require('../table')
const { names } = require('../ways/cold')

const COMPARED = ['minimal', 'compatible', 'ours', 'body-parser'] // in the summary
const SMALL = 'json 274 B, as a server feeds it' // of which the summary has the times of all
const COLD = 'cold start'

const number = (value) => Math.round(value).toLocaleString('en')
const least = (figures) => number(lowest(figures))
/** Three digits: the others differ from run to run. */
const rounded = (figures) => number(Number(lowest(figures).toPrecision(3)))

const heapTable = (results) =>
  tableOf('Allocated per request: bytes on the heap', fieldOf(results, 'bytes'), { textOf: rounded })

function coldTable (cold = {}) {
  const rows = Object.entries(cold).map(([name, samples]) => {
    return [name, lowest(samples.map(({ ms }) => ms)).toFixed(1), samples[0].modules]
  })
  return { title: 'Cold start', head: ['module', 'least ms', 'modules'], rows }
}

function tablesOf ({ [COLD]: cold, ...results }) {
  const times = tableOf('Least ns per request', fieldOf(results, 'ns'), { textOf: least })
  return [times, heapTable(results), coldTable(cold)]
}

/** The results of those that are compared, with the share of body-parser's time. */
function summaryOf ({ [COLD]: cold, ...results }, about) {
  const time = (row, name) => row?.[name] === undefined ? '' : least(row[name].map(({ ns }) => ns))
  const ratioOf = ({ ours, 'body-parser': theirs }) => {
    return ours && theirs ? (lowest(ours.map(({ ns }) => ns)) / lowest(theirs.map(({ ns }) => ns))).toFixed(2) : ''
  }
  const all = competitors.map(({ name, checks }) => [name, time(results[SMALL], name), checks.join(', ') || 'none'])
  const requests = Object.entries(results).map(([name, row]) => {
    return [name, ...COMPARED.map((one) => time(row, one)), ratioOf(row)]
  })
  const tables = [
    { title: `All, ${SMALL}`, head: ['parser', 'least ns', 'checks made'], rows: all },
    { title: 'Requests', head: ['request', ...COMPARED, 'ours / body-parser'], rows: requests },
    heapTable(results),
    coldTable(cold)
  ]
  return `# Results

Times are the least ns per request. Read the ratios: the times are one machine's. This command writes the file
([README](README.md)): \`npm run bench -- --node=24 --summary=bench/summary.md\`

${about}, body-parser ${version}.

${tables.map(({ title, head, rows }) => `## ${title}\n\n${markdownTable(head, rows)}\n`).join('\n')}`
}

module.exports = {
  usage: `What a request costs in one process, by parser: twenty minutes.

  npm run bench -- --node=24
  npm run bench -- --rounds=1 --filter="cold start"

What else it measures is the first argument: multipart, upload-memory, ndjson,
json-array, large-bodies, memory, web, web-forms, web-memory.
Each explains itself: npm run bench -- ndjson --help
`,
  rounds: 5,
  rowsOf: ({ node }) => [
    ...rows.map((row) => ({
      name: row.name,
      ways: ableTo(row).map(({ name }) => name),
      open: () => (way) => inWorker([node.path], 'requests', row.name, way)
    })),
    { name: COLD, ways: names, open: () => (way) => inWorker([node.path], 'cold', COLD, way) }
  ],
  tablesOf,
  summaryOf
}
