'use strict'

// npm run bench -- upload-memory, web-memory or large-bodies: what a server takes for one large body, on Linux.

const { writeFile } = require('../tools/atomic-write')
const { drawBars } = require('../tools/bars')
const { fileName, wholeNumber } = require('../tools/command-line')
const { recordOf } = require('../tools/record')
const { median } = require('../tools/statistics')
const UserError = require('../tools/user-error')
const { BOUNDARY, KB, MB, typeWith } = require('./multipart/bodies')
const { measureBody, sendBody } = require('./one-body/measure')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')
const runtimes = require('./suite/runtimes')

const UPLOADS = [
  'node:http alone, discarded', 'fast-body-parser, part by part', 'fast-body-parser, to disk', 'multer, to disk',
  'formidable, to disk', 'multer, to memory', 'request.formData() of Node.js'
]
const BY_BYTE = { part: 1 / 20_000, chunk: 1 }
const LEAVES = 3000 // ms after which a client leaves whose file is not read
const LEAVES_WARM = 20

/** By way of ./one-body/server.mjs: how much of the size is sent, and in chunks of how many bytes. */
const FORMS = {
  'node:http alone, discarded': [{}],
  'the stream alone, discarded': [{}, BY_BYTE],
  'a store that discards': [{}, BY_BYTE],
  'a slow store': [{}, BY_BYTE],
  'multipart.disk': [{}],
  'part by part': [{}],
  'a store that never reads': [{ leaves: true }], // nothing else would end the request
  '@remix-run/multipart-parser': [{ part: 1 / 4 }],
  'formData()': [{ part: 1 / 4 }]
}

const RECORD = JSON.stringify(recordOf(413))
const SOME = 150 // records that are written together
const WARM = 0.1 // MB
const ARRAY = { head: '[', separator: ',', tail: ']', type: 'application/json', path: '/1' }

/** By way: how the records are written, and MB of the bodies. */
const RECORDS = {
  'json()': [ARRAY, [1, 10, 100]],
  'json({ cooperative: true })': [ARRAY, [1, 10, 100]],
  'jsonArray()': [ARRAY, [1, 10, 100, 1000]],
  'ndjson()': [{ ...ARRAY, head: '', separator: '\n', tail: '\n', type: 'application/x-ndjson' }, [1, 10, 100, 1000]],
  'examples/json-import.js': [{ ...ARRAY, head: '{"users":[', tail: ']}', path: '/imports/1' }, [1, 10, 100, 1000]]
}

async function repeat (rounds, take) {
  const samples = []
  for (let round = 0; round < rounds; round++) samples.push(await take())
  return samples
}

/** Sends a form with one file of so many bytes. */
function upload (port, bytes, chunk = 64 * KB, leaves) {
  const disposition = 'form-data; name="file"; filename="a.bin"\r\nContent-Type: a/b'
  const head = `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n`
  const how = { bytes, chunk: Buffer.alloc(chunk, 'x'), isChunked: chunk === 1, leaves }
  return sendBody(port, { type: typeWith(BOUNDARY), head, tail: `\r\n--${BOUNDARY}--\r\n`, ...how })
}

/** @returns {Promise<number>} MB */
async function memoryOf (runtime, node, way, megabytes, { warm, chunk, leaves }) {
  const warmUp = async (port) => {
    for (let i = 0; i < warm; i++) await upload(port, MB, undefined, leaves && LEAVES_WARM)
  }
  const send = (port) => upload(port, Math.round(megabytes * MB), chunk, leaves && LEAVES)
  return (await measureBody(runtime, node, way, warmUp, send)).memory / MB
}

/** Sends about so many MB of records, and looks whether the app has counted them. */
async function sendRecords (port, { head, separator, path, ...more }, megabytes) {
  const chunk = Buffer.from((separator + RECORD).repeat(SOME))
  const times = Math.floor(megabytes * 1e6 / chunk.length)
  const text = await sendBody(port, { ...more, path, head: head + RECORD, chunk, bytes: times * chunk.length })
  if (JSON.parse(text).items !== 1 + times * SOME) throw new UserError(`records were lost: ${text}`)
}

const size = (fallback) => ({ value: 'MB', read: wholeNumber(2, 8000), default: fallback, help: 'of the file' })

const benches = {
  'upload-memory': {
    usage: `The memory that one upload takes, beside peers: three minutes.

  npm run bench -- upload-memory --node=24 --svg=docs/images/memory.svg

Each upload goes to a fresh server, which first takes one of 1 MB. The figure is the
peak of its resident memory, less what it had before.
`,
    rounds: 3,
    options: { size: size(500), svg: { value: 'FILE', read: fileName('.svg'), help: 'draw the picture' } },
    stepsOf: ({ node, rounds, size }) => UPLOADS.map((way) => ({
      name: way, take: () => repeat(rounds, () => memoryOf('Node', node, way, size, { warm: 1 }))
    })),
    tablesOf (uploads, { size, svg }) {
      const rows = Object.entries(uploads).map(([way, peaks]) => [way, median(peaks), Math.min(...peaks),
        Math.max(...peaks)])
      if (svg !== null) writeFile(svg, pictureOf(rows, size))
      const digits = rows.map(([way, ...figures]) => [way, ...figures.map((figure) => figure.toFixed(0))])
      const title = `MB of peak memory of an upload of ${size} MB`
      return [{ title, head: ['', 'median', 'least', 'most'], rows: digits }]
    }
  },
  'web-memory': {
    usage: `The memory that one form with a large file takes of a server, by runtime: three minutes.

  npm run bench -- web-memory --node=24

Each form goes to a server of its own, which first takes others of 1 MB. The figure is the peak of its resident memory,
less what it had before. Peers that hold a file in memory get a quarter of the size; what comes by byte is a 20,000th.
`,
    rounds: 1,
    options: {
      size: size(2000),
      warm: { value: 'FORMS', read: wholeNumber(1, 1000), default: 100, help: 'that the server takes first' }
    },
    stepsOf: ({ node, rounds, size, warm }) => Object.entries(FORMS).flatMap(([way, rows]) => rows.map((row) => ({
      name: `${way}${row.chunk === 1 ? ', by byte' : row.part ? ', a quarter' : ''}`,
      take: () => byRuntime((name) => repeat(rounds, () => {
        // null: it has refused the form, or has ended
        return memoryOf(name, node, way, size * (row.part ?? 1), { ...row, warm }).catch(() => null)
      }))
    }))),
    tablesOf: (results, { size }) => [
      medianTable(`MB of peak memory above idle of a form with a file of ${size} MB`, Object.entries(results))
    ]
  },
  'large-bodies': {
    usage: `What one body of records of ${RECORD.length} B takes that an Express app reads: peak memory above
that of the idle server, and CPU time. Six minutes, one without bodies of 1 GB.

  npm run bench -- large-bodies --node=24
  npm run bench -- large-bodies --node=24 --filter=" 100 MB"
`,
    rounds: 3,
    stepsOf: ({ node, rounds }) => Object.entries(RECORDS).flatMap(([way, [format, sizes]]) => sizes.map((size) => ({
      name: `${way}, ${size} MB`,
      take: () => repeat(rounds, () => measureBody('Node', node, way,
        (port) => sendRecords(port, { ...format, path: `${format.path}0` }, WARM),
        (port) => sendRecords(port, format, size)))
    }))),
    tablesOf (results) {
      const rows = Object.entries(results).map(([name, samples]) => {
        const memory = samples.map(({ memory }) => Math.round(memory / 1e6))
        return [name, Math.round(median(memory)), `${Math.min(...memory)}-${Math.max(...memory)}`,
          Math.min(...samples.map(({ cpu }) => cpu)).toFixed(2)]
      })
      return [{ title: 'One body', head: ['', 'MB above idle', 'least-most', 'least s of CPU time'], rows }]
    }
  }
}

/** @returns {Promise<Record<string, T>>} @template T */
async function byRuntime (take) {
  const results = {}
  for (const name of Object.keys(runtimes)) results[name] = await take(name)
  return results
}

const pictureOf = (rows, size) => drawBars({
  title: `Memory of an upload of ${size} MB: less is better`,
  unit: 'MB',
  left: 236,
  groups: rows.map(([name, value]) => ({ name, bars: [{ value, isOurs: name.startsWith('fast-body-parser') }] }))
})

/** @param {keyof benches} name */
module.exports = (name) => benchCommand(benches[name])
