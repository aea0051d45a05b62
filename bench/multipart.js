'use strict'

// What uploads cost, beside their peers, measured alternately in one run:
//
//   npm install --no-save --prefix bench busboy @fastify/busboy @remix-run/multipart-parser formidable multer express
//   node bench/multipart.js [process|mixed|express|memory] [rounds] [part of a row's name]
//
// process: CPU time of parsers in a process of each row, as busboy reads fields
// up to four times as fast once it has read large files; mixed: all rows in one
// process; express: CPU time per upload of a server with the whole stack;
// memory: peak RSS of 50 uploads of 20 MB. What only reads and discards, or
// joins, the same bytes shows how low this can be.

const { execFileSync } = require('node:child_process')
const { Readable, Writable } = require('node:stream')
const { multipart } = require('..')
const { KB, MB, TYPE, bodies } = require('./multipart/bodies')
const { inExpress, inMemory } = require('./multipart/servers')

const [mode = 'process', rounds = '15', filter = ''] = process.argv.slice(2)
const LIMIT = 64 * MB

/** A request that costs little itself. */
function requestOf (body, size) {
  let at = 0
  const req = new Readable({ highWaterMark: 64 * KB, read () { req.push(at < body.length ? body.subarray(at, at += size) : null) } })
  return Object.assign(req, { headers: { 'content-type': TYPE, 'content-length': String(body.length) } })
}

const call = (middleware) => (req) => new Promise((resolve, reject) => middleware(req, {}, (error) => error ? reject(error) : resolve()))
const read = (req) => new Promise((resolve, reject) => req.on('data', () => {}).on('end', resolve).on('error', reject))
const byEvents = (create) => (req) => new Promise((resolve, reject) => {
  const parser = create({ headers: req.headers, limits: { fileSize: LIMIT } })
  req.pipe(parser.on('file', (name, file) => file.resume()).on('field', () => {}).on('error', reject).on('close', resolve).on('finish', resolve))
})

/** Each reads a form to its end, and discards its files. */
const parsers = {
  discard: read,
  busboy: byEvents((options) => require('busboy')(options)),
  '@fastify/busboy': byEvents((options) => require('@fastify/busboy')(options)),
  '@remix-run': async (req) => {
    const { parseMultipartRequest } = await import('@remix-run/multipart-parser/node')
    for await (const part of parseMultipartRequest(req, { maxFileSize: LIMIT, maxTotalSize: LIMIT })) part.isFile ? part.bytes.length : part.text // eslint-disable-line no-unused-expressions
  },
  formidable: (req) => require('formidable').default({ maxFileSize: LIMIT, fileWriteStreamHandler: () => new Writable({ write: (chunk, encoding, done) => done() }) }).parse(req),
  'ours, stream': call(multipart({ limit: LIMIT, store: read })),
  'ours, memory': call(multipart({ limit: LIMIT }))
}

/** CPU us per form; NaN if it refuses this body, or hangs at it. */
async function measure (parse, body, size, count) {
  const begin = process.cpuUsage()
  const end = performance.now() + 200 // ms; formidable takes seconds for a megabyte of CRLFs
  let done = 0
  try {
    do await Promise.race([parse(requestOf(body, size)), new Promise((resolve, reject) => setTimeout(reject, 5000).unref())])
    while (++done < count && performance.now() < end)
  } catch {
    return NaN
  }
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / done
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const print = (rows) => console.log(rows.map(([first, ...cells]) => first.padEnd(30) + cells.map((cell) => cell.padStart(17)).join('')).join('\n'))

/** Rounds in which each takes its turn; the first one is not counted. */
async function alternate (names, run) {
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const time = await run(name)
      if (round >= 0) times[name].push(time)
    }
  }
  return (name) => times[name].some(Number.isNaN) ? NaN : median(times[name])
}

const selected = Object.keys(bodies).filter((what) => what.includes(filter))
const inProcesses = () => selected.forEach((what) => execFileSync(process.execPath, [__filename, 'mixed', rounds, what], { stdio: 'inherit' }))

async function mixed () {
  const names = Object.keys(parsers)
  const rows = [['CPU us (ratio to busboy)', ...names]]
  for (const what of selected) {
    const [body, size, count] = bodies[what]
    const time = await alternate(names, (name) => measure(parsers[name], body, size, count))
    rows.push([what, ...names.map((name) => isNaN(time(name)) ? 'refuses' : `${time(name).toFixed(0)} (${(time(name) / time('busboy')).toFixed(2)})`)])
  }
  print(rows)
}

({ process: inProcesses, mixed, express: inExpress, memory: inMemory })[mode](alternate, print)
