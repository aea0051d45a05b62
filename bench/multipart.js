'use strict'

// What uploads cost, beside their peers, measured alternately in one run:
//
//   npm install --no-save --prefix bench busboy @fastify/busboy @remix-run/multipart-parser formidable multer express
//   node bench/multipart.js [process|express|memory] [rounds]
//
// process: CPU time of parsers in this process; express: CPU time per upload of
// a server with the whole stack; memory: peak RSS of 50 uploads of 20 MB.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { Readable } = require('node:stream')
const { multipart } = require('..')

const [mode = 'process', rounds = '15'] = process.argv.slice(2)
const KB = 1024
const MB = KB * KB
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const LIMIT = 64 * MB

const part = (disposition, content) => Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const formOf = (...parts) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
const fileOf = (content) => formOf(part('name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream', content))
const random = (size) => require('node:crypto').randomBytes(size)
const repeat = (text) => Buffer.alloc(MB, text, 'latin1')

/** name -> [body, bytes per chunk, repetitions in a round] */
const bodies = {
  '10 MB file': [fileOf(random(10 * MB)), 64 * KB, 3],
  '20 fields': [formOf(...Array.from({ length: 20 }, (_, i) => part(`name="field${i}"`, `value of field ${i}`))), 64 * KB, 200],
  '1 MB random': [fileOf(random(MB)), 64 * KB, 10],
  '1 MB of CRLFs': [fileOf(repeat('\r\n')), 64 * KB, 10],
  '1 MB of dashes': [fileOf(repeat('-')), 64 * KB, 10],
  '1 MB of prefixes': [fileOf(repeat(`\r\n--${BOUNDARY.slice(0, -1)}`)), 64 * KB, 10],
  '1 MB of boundaries and an X': [fileOf(repeat(`\r\n--${BOUNDARY}X`)), 64 * KB, 3],
  '64 KB random, by byte': [fileOf(random(64 * KB)), 1, 1],
  '64 KB of CRLFs, by byte': [fileOf(repeat('\r\n').subarray(0, 64 * KB)), 1, 1],
  '64 KB of prefixes, by byte': [fileOf(repeat(`\r\n--${BOUNDARY.slice(0, -1)}`).subarray(0, 64 * KB)), 1, 1]
}

function requestOf (body, size) {
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, i) => body.subarray(i * size, (i + 1) * size))
  return Object.assign(Readable.from(chunks, { objectMode: false, highWaterMark: 64 * KB }), { headers: { 'content-type': TYPE, 'content-length': String(body.length) } })
}

const call = (middleware) => (req) => new Promise((resolve, reject) => middleware(req, {}, (error) => error ? reject(error) : resolve()))

/** Each reads a form to its end, and discards its files. */
const parsers = {
  busboy: (req) => byEvents(require('busboy')({ headers: req.headers, limits: { fileSize: LIMIT } }), req),
  '@fastify/busboy': (req) => byEvents(require('@fastify/busboy')({ headers: req.headers, limits: { fileSize: LIMIT } }), req),
  '@remix-run/multipart-parser': async (req) => {
    const { parseMultipartRequest } = await import('@remix-run/multipart-parser/node')
    for await (const part of parseMultipartRequest(req, { maxFileSize: LIMIT, maxTotalSize: LIMIT })) part.isFile ? part.bytes.length : part.text // eslint-disable-line no-unused-expressions
  },
  formidable: (req) => require('formidable').default({ maxFileSize: LIMIT, fileWriteStreamHandler: () => new (require('node:stream').Writable)({ write: (chunk, encoding, done) => done() }) }).parse(req),
  'ours, streaming': call(multipart({ limit: LIMIT, store: (file) => new Promise((resolve, reject) => file.on('data', () => {}).on('end', resolve).on('error', reject)) })),
  'ours, memory': call(multipart({ limit: LIMIT }))
}

function byEvents (parser, req) {
  return new Promise((resolve, reject) => {
    parser.on('file', (name, file) => file.resume()).on('field', () => {}).on('error', reject).on('close', resolve).on('finish', resolve)
    req.pipe(parser)
  })
}

/** Some parsers hang at some bodies. */
function inTime (promise) {
  let timer
  const late = new Promise((resolve, reject) => { timer = setTimeout(reject, 5000) })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const table = (rows) => console.log(rows.map((row) => row.map((cell, i) => i === 0 ? cell.padEnd(30) : cell.padStart(14)).join('')).join('\n'))

async function inProcess () {
  const rows = [['CPU us (ratio to busboy)', ...Object.keys(parsers).map((name) => name.slice(-13))]]
  for (const [what, [body, size, count]] of Object.entries(bodies)) {
    if (process.env.PROGRESS) console.error(what)
    const times = Object.fromEntries(Object.keys(parsers).map((name) => [name, []]))
    for (let round = -1; round < rounds; round++) {
      for (const [name, parse] of Object.entries(parsers)) {
        const begin = process.cpuUsage()
        const end = performance.now() + 200 // ms; formidable takes a second for a megabyte of CRLFs
        let done = 0
        try {
          await inTime((async () => {
            do await parse(requestOf(body, size))
            while (++done < count && performance.now() < end)
          })())
        } catch {
          times[name].push(NaN) // it refuses this body
          if (process.env.PROGRESS) console.error(name, 'refuses')
          continue
        }
        const { user, system } = process.cpuUsage(begin)
        if (round >= 0) times[name].push((user + system) / done)
      }
    }
    const base = median(times.busboy)
    rows.push([what, ...Object.values(times).map((values) => values.some(Number.isNaN) ? 'refuses' : `${median(values).toFixed(0)} (${(median(values) / base).toFixed(2)})`)])
  }
  table(rows)
}

const stacks = {
  'multer, memory': () => require('multer')({ storage: require('multer').memoryStorage() }).any(),
  'ours, memory': () => multipart({ limit: LIMIT }),
  'multer, disk': (folder) => require('multer')({ dest: folder }).any(),
  'ours, disk': (folder) => multipart({ limit: LIMIT, store: multipart.disk(folder) })
}

/** In a process of its own: prints its port, and what it has used when asked. */
function serve (name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-multipart-'))
  const app = require('express')()
  app.post('/', stacks[name](folder), (req, res) => {
    for (const file of name.startsWith('multer') ? req.files : []) if (file.path) fs.unlink(file.path, () => {})
    res.end()
  })
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('message', () => process.send({ ...process.cpuUsage(), rss: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * KB }))
  process.on('disconnect', () => { fs.rmSync(folder, { recursive: true }); process.exit() })
}

async function start (name) {
  const child = fork(__filename, ['serve', name])
  const [port] = await once(child, 'message')
  const ask = async () => { child.send('usage'); return (await once(child, 'message'))[0] }
  const post = (body) => new Promise((resolve, reject) => {
    const req = http.request({ port, method: 'POST', headers: { 'content-type': TYPE, 'content-length': body.length }, agent: false }, (res) => res.resume().on('end', resolve)).on('error', reject)
    req.end(body)
  })
  return { ask, post, stop: () => child.disconnect() }
}

async function inExpress () {
  const servers = Object.fromEntries(await Promise.all(Object.keys(stacks).map(async (name) => [name, await start(name)])))
  const rows = [['server CPU us per upload', ...Object.keys(servers), 'memory ratio', 'disk ratio']]
  for (const [what, size, count] of [['1 MB file', MB, 30], ['10 MB file', 10 * MB, 6], ['20 fields', 0, 100]]) {
    const body = size === 0 ? bodies['20 fields'][0] : fileOf(random(size))
    const times = Object.fromEntries(Object.keys(servers).map((name) => [name, []]))
    for (let round = -1; round < rounds; round++) {
      for (const [name, { ask, post }] of Object.entries(servers)) {
        const begin = await ask()
        for (let i = 0; i < count; i++) await post(body)
        const end = await ask()
        if (round >= 0) times[name].push((end.user + end.system - begin.user - begin.system) / count)
      }
    }
    const [a, b, c, d] = Object.values(times).map(median)
    rows.push([what, ...[a, b, c, d].map((time) => time.toFixed(0)), (b / a).toFixed(2), (d / c).toFixed(2)])
  }
  table(rows)
  for (const { stop } of Object.values(servers)) stop()
}

async function inMemory () {
  const body = fileOf(random(20 * MB))
  for (const name of Object.keys(stacks).filter((name) => name.endsWith('disk'))) {
    const { ask, post, stop } = await start(name)
    await post(fileOf(random(KB)))
    const { rss } = await ask()
    await Promise.all(Array.from({ length: 50 }, () => post(body)))
    const { peak } = await ask()
    console.log(`${name}: 50 uploads of 20 MB at a time peak at ${((peak - rss) / MB).toFixed(0)} MB above idle`)
    stop()
  }
}

if (mode === 'serve') serve(rounds)
else ({ process: inProcess, express: inExpress, memory: inMemory })[mode]()
