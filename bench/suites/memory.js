'use strict'

// npm run bench -- upload-memory, web-memory, large-bodies or memory: what a server takes of its memory, above idle.

const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const { wholeNumber } = require('../../tools/command-line')
const { recordOf } = require('../../tools/record')
const UserError = require('../../tools/user-error')
const { sendAll, sendBody, usageOf } = require('../client')
const { BOUNDARY, KB, MB, typeWith } = require('../forms')
const { runtimes, startServer, stopServers } = require('../processes')
const { json } = require('../rows/bodies')
const { fieldOf, lowest, spanOf, tableOf } = require('../table')

const sizeOf = (fallback) => ({ value: 'MB', read: wholeNumber(2, 8000), default: fallback, help: 'of the file' })

/** Bytes at most, above the idle server, which has been sent `warm`; and seconds of CPU time. */
async function peakOf (command, args, warm, send) {
  try {
    const folder = temporaryFolder(path.join(os.tmpdir(), 'bench-memory'))
    const port = await startServer(command, [...args, folder], { DATABASE: path.join(folder, 'database') })
    await warm(port)
    const before = await usageOf(port)
    await send(port)
    const after = await usageOf(port)
    return { bytes: after.peak - before.now, seconds: (after.cpu - before.cpu) / 1e6 }
  } finally {
    await stopServers()
  }
}

/** Sends a form with one file of so many MB. */
function upload (port, size, chunk = 64 * KB, leaves) {
  const disposition = 'form-data; name="file"; filename="a.bin"\r\nContent-Type: a/b'
  const head = `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n`
  const how = { bytes: Math.round(size * MB), chunk: Buffer.alloc(chunk, 'x'), isChunked: chunk === 1, leaves }
  return sendBody(port, { type: typeWith(BOUNDARY), head, tail: `\r\n--${BOUNDARY}--\r\n`, ...how })
}

const UPLOADS = [
  'node:http alone, discarded', 'fast-body-parser, part by part', 'fast-body-parser, to disk', 'multer, to disk',
  'formidable, to disk', 'multer, to memory', 'request.formData() of Node.js'
]

exports['upload-memory'] = {
  usage: `The memory that one upload takes, beside peers: three minutes.

  npm run bench -- upload-memory --node=24

Each upload goes to a fresh server, which first takes one of 1 MB. The figure is the
peak of its resident memory, less what it had before.
`,
  rounds: 3,
  options: { size: sizeOf(500) },
  rowsOf: ({ node, size }) => UPLOADS.map((name) => ({
    name,
    ways: ['peak'],
    open: () => async () => {
      const args = ['node:http', 'uploads', name]
      const { bytes } = await peakOf([node.path], args, (port) => upload(port, 1), (port) => upload(port, size))
      return bytes / MB
    }
  })),
  tablesOf: (peaks, { size }) => [
    tableOf(`MB of peak memory of an upload of ${size} MB: median (least-most)`, peaks, { textOf: spanOf })
  ]
}

const BY_BYTE = { what: ', by byte', part: 1 / 20_000, chunk: 1 }
const QUARTER = { what: ', a quarter', part: 1 / 4 }
const LEAVES = 3000 // ms after which a client leaves whose file is not read
const LEAVES_WARM = 20

/** Way of ways/forms.js, and how much of the size is sent, in chunks of how many bytes. */
const FORMS = [
  ['node:http alone, discarded', { server: ['node:http', 'uploads'] }],
  ['the stream alone, discarded', {}], ['the stream alone, discarded', BY_BYTE],
  ['a store that discards', {}], ['a store that discards', BY_BYTE],
  ['a slow store', {}], ['a slow store', BY_BYTE],
  ['multipart.disk', {}],
  ['part by part', {}],
  ['a store that never reads', { leaves: LEAVES }], // nothing else would end the request
  ['@remix-run/multipart-parser, unread', QUARTER],
  ['formData()', QUARTER]
]

exports['web-memory'] = {
  usage: `The memory that one form with a large file takes of a server, by runtime: three minutes.

  npm run bench -- web-memory --node=24

Each form goes to a server of its own, which first takes others of 1 MB. The figure is the peak of its resident memory,
less what it had before. Peers that hold a file in memory get a quarter of the size; what comes by byte is a 20,000th.
`,
  rounds: 1,
  options: {
    size: sizeOf(2000),
    warm: { value: 'FORMS', read: wholeNumber(1, 1000), default: 100, help: 'that the server takes first' }
  },
  rowsOf: ({ node, size, warm }) => FORMS.map(([way, { what = '', part = 1, chunk, leaves, server }]) => ({
    name: `${way}${what}`,
    ways: Object.keys(runtimes),
    open: () => async (runtime) => {
      const warmUp = async (port) => {
        for (let i = 0; i < warm; i++) await upload(port, 1, undefined, leaves && LEAVES_WARM)
      }
      const [kind, file] = server ?? [runtime === 'Node' ? 'Hono' : runtime, 'forms']
      const send = (port) => upload(port, size * part, chunk, leaves)
      return (await peakOf(await runtimes[runtime](node), [kind, file, way], warmUp, send)).bytes / MB
    }
  })),
  tablesOf: (peaks, { size }) => [
    tableOf(`MB of peak memory above idle of a form with a file of ${size} MB: median (least-most)`, peaks,
      { textOf: spanOf })
  ]
}

const RECORD = JSON.stringify(recordOf(413))
const SOME = 150 // records that are written together
const WARM = 0.1 // MB
const ARRAY = { head: '[', separator: ',', tail: ']', type: 'application/json', path: '/imports/' }

/** By way of ways/large-bodies.js: how the records are written. */
const RECORDS = {
  'json()': ARRAY,
  'json({ cooperative: true })': ARRAY,
  'jsonArray()': ARRAY,
  'ndjson()': { ...ARRAY, head: '', separator: '\n', tail: '\n', type: 'application/x-ndjson' },
  'examples/json-import.js': { ...ARRAY, head: '{"users":[', tail: ']}' }
}
const [ofWhole, ofCooperative, ...others] = Object.keys(RECORDS)
const [ofItems, ofLines, ofExample] = others
const SIZES = [1, 10, 100, 1000].flatMap((size) => [
  [`records, ${size} MB`, size, [...size === 1000 ? [] : [ofWhole, ofCooperative], ofItems, ofLines]],
  [`import, ${size} MB`, size, [ofExample]] // which needs Node.js 22.13
])

/** Sends about so many MB of records, and looks whether the app has counted them. */
async function sendRecords (port, { head, separator, path, ...more }, size) {
  const chunk = Buffer.from((separator + RECORD).repeat(SOME))
  const times = Math.floor(size * 1e6 / chunk.length)
  const body = { ...more, path: path + size, head: head + RECORD, chunk, bytes: times * chunk.length }
  const text = await sendBody(port, body)
  if (JSON.parse(text).items !== 1 + times * SOME) throw new UserError(`records were lost: ${text}`)
}

exports['large-bodies'] = {
  usage: `What one body of records of ${RECORD.length} B takes of an app of Express that reads it: peak memory above
that of the idle server, and CPU time. Six minutes, one without bodies of 1 GB.

  npm run bench -- large-bodies --node=24
  npm run bench -- large-bodies --node=24 --filter=" 100 MB"
`,
  rounds: 3,
  rowsOf: ({ node }) => SIZES.map(([name, size, ways]) => ({
    name,
    ways,
    open: () => async (way) => {
      const send = (size) => (port) => sendRecords(port, RECORDS[way], size)
      const { bytes, seconds } = await peakOf([node.path], ['Express', 'large-bodies', way], send(WARM), send(size))
      return { mb: bytes / 1e6, seconds }
    }
  })),
  tablesOf: (results) => [
    tableOf('MB of peak memory above idle: median (least-most)', fieldOf(results, 'mb'), { textOf: spanOf }),
    tableOf('least s of CPU time', fieldOf(results, 'seconds'), { textOf: (seconds) => lowest(seconds).toFixed(2) })
  ]
}

const BODIES = 200 // at a time
const BURSTS = ['1', '2', '3']
const SMALL = '--max-semi-space-size=4'

async function keptOf (command, way) {
  const port = await startServer(command, ['node:http', 'large-bodies', way])
  const request = { headers: { 'content-type': 'application/json' }, body: json(1e6).bytes }
  const { now: idle } = await usageOf(port)
  const kept = []
  for (let burst = 0; burst < BURSTS.length; burst++) {
    await sendAll(port, request, BODIES, BODIES)
    kept.push(((await usageOf(port)).now - idle) / 1e6)
  }
  return kept
}

exports.memory = {
  usage: `What a server keeps after ${BURSTS.length} bursts of ${BODIES} JSON bodies of 1 MB: two minutes.

  npm run bench -- memory --node=24
  LD_PRELOAD=libjemalloc.so.2 npm run bench -- memory --node=24    # with another allocator
`,
  rounds: 1,
  rowsOf: ({ node }) => [
    ['as it is', 'fast-body-parser', []],
    [SMALL, 'fast-body-parser', [SMALL]],
    ['body-parser, as it is', 'body-parser', []]
  ].map(([name, way, flags]) => {
    return { name, ways: [way], open: () => () => keptOf([node.path, '--expose-gc', ...flags], way) }
  }),
  tablesOf: (results) => [{
    title: 'MB more than before, after each burst',
    head: ['', ...BURSTS],
    rows: Object.entries(results).map(([name, row]) => [name, ...Object.values(row)[0][0].map(Math.round)])
  }]
}
