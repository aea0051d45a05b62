'use strict'

// What uploads cost, beside their peers, measured alternately in one run:
//
//   node bench/multipart.js [process|mixed|express|memory] [rounds] [part of a row's name]
//
// process: CPU time of parsers, each figure in a process of its own, as busboy
// reads fields up to four times as fast once it has read large files; mixed: all
// in one process; express: CPU time per upload of a server with the whole stack,
// of `multipart()` (ours) and of `fast-body-parser/multer` (entry); memory: peak
// RSS of 50 uploads of 20 MB. A server that only discards, or joins, the same
// bytes is the lower bound.

const { execFileSync } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const os = require('node:os')
const path = require('node:path')
const { Readable, Writable } = require('node:stream')
const { multipart } = require('..')
const { temporaryFolder } = require('../tools/atomic-write')
const { withLab } = require('../tools/lab')
const { median } = require('../tools/statistics')
const textTable = require('../tools/text-table')
const { KB, MB, TYPE, bodies, fields, fileOf } = require('./multipart/bodies')

const [mode = 'process', rounds = '15', filter = ''] = process.argv.slice(2) // of `one`: a parser, and a row
const LIMIT = 64 * MB

/** A request that itself costs little. */
function requestOf (body, size, type = TYPE) {
  let at = 0
  const req = new Readable({ highWaterMark: 64 * KB, read () { req.push(at < body.length ? body.subarray(at, at += size) : null) } })
  return Object.assign(req, { headers: { 'content-type': type, 'content-length': String(body.length) } })
}

const call = (middleware) => (req) => new Promise((resolve, reject) => middleware(req, {}, (error) => error ? reject(error) : resolve()))
const read = (req) => new Promise((resolve, reject) => req.on('data', () => {}).on('end', resolve).on('error', reject))
const loop = async (file) => { for await (const chunk of file) chunk.at(0) }
const listen = (create, onFile) => (req) => new Promise((resolve, reject) => {
  const parser = create({ headers: req.headers, limits: { fileSize: LIMIT } })
  parser.on('file', (name, file) => onFile(file)).on('field', () => {})
  req.pipe(parser.on('error', reject).on('close', resolve).on('finish', resolve))
})

/** Each reads a form to its end, and discards its files. */
const parsers = {
  discard: read,
  busboy: listen(require('busboy'), (file) => file.resume()),
  '@fastify/busboy': listen(require('@fastify/busboy'), (file) => file.resume()),
  'busboy, for await': listen(require('busboy'), loop),
  '@fastify/busboy, for await': listen(require('@fastify/busboy'), loop),
  formidable: (req) => require('formidable').default({ maxFileSize: LIMIT, fileWriteStreamHandler: () => new Writable({ write: (chunk, encoding, done) => done() }) }).parse(req),
  'ours, events': call(multipart({ limit: LIMIT, store: read })),
  'ours, for await': call(multipart({ limit: LIMIT, store: loop })),
  'ours, memory': call(multipart({ limit: LIMIT }))
}

/** CPU us per form; NaN if it refuses this body, or hangs at it. */
async function measure (parse, body, size, count, type) {
  const begin = process.cpuUsage()
  const end = performance.now() + 200 // ms; formidable takes seconds for a megabyte of CRLFs
  let done = 0
  try {
    do {
      const late = new Promise((resolve, reject) => { setTimeout(reject, 5000).unref() })
      await Promise.race([parse(requestOf(body, size, type)), late])
    } while (++done < count && performance.now() < end)
  } catch {
    return NaN
  }
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / done
}

/** Medians of rounds in which each takes its turn; the first one is not counted. */
async function alternate (names, run) {
  const seen = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const figure = await run(name)
      if (round >= 0) seen[name].push(figure)
    }
  }
  return Object.fromEntries(names.map((name) => [name, seen[name].some(Number.isNaN) ? NaN : median(seen[name])]))
}

const selected = Object.keys(bodies).filter((what) => what.includes(filter))
const inProcesses = () => tableOf((what, name) => {
  const output = execFileSync(process.execPath, [__filename, 'one', name, what], { encoding: 'utf8' })
  return Number(output)
})
const mixed = () => tableOf((what, name) => measure(parsers[name], ...bodies[what]))

/** One figure, once the process is warm. */
async function one () {
  const [parse, [body, size,, type]] = [parsers[rounds], bodies[filter]]
  const measureAll = () => measure(parse, body, size, Infinity, type)
  await measureAll()
  return measureAll()
}

async function tableOf (figureOf) {
  const names = Object.keys(parsers)
  const rows = []
  for (const what of selected) {
    const times = await alternate(names, (name) => figureOf(what, name))
    rows.push([what, ...names.map((name) => isNaN(times[name]) ? 'refuses' : `${times[name].toFixed(0)} (${(times[name] / times.busboy).toFixed(2)})`)])
  }
  return textTable(['CPU us (ratio to busboy)', ...names], rows)
}

const { stacks } = require('./multipart/app')
const start = (lab, stack) => lab.start({ name: stack, app: require.resolve('./multipart/app'), settings: { stack, folder: temporaryFolder(path.join(os.tmpdir(), 'bench-multipart')) } })
const uploadOf = (body) => [{ method: 'POST', headers: { 'content-type': TYPE }, body, expected: { status: 200, body: '' } }]

/** [name, body, uploads in a round] */
const expressRows = [
  ['100 KB file', fileOf(randomBytes(100 * KB)), 200],
  ['1 MB file', fileOf(randomBytes(MB)), 30],
  ['10 MB file', fileOf(randomBytes(10 * MB)), 8],
  ['20 fields', fields, 400]
]
const ratios = ['ours', 'entry'].flatMap((which) => ['memory', 'disk'].map((store) => [which, store]))

function inExpress () {
  return withLab(async (lab) => {
    const names = Object.keys(stacks)
    const servers = {}
    for (const name of names) servers[name] = await start(lab, name)
    const rows = []
    for (const [what, body, count] of expressRows.filter(([what]) => what.includes(filter))) {
      for (const name of names) await servers[name].connect(uploadOf(body), 1)
      const times = await alternate(names, async (name) => (await servers[name].load({ amount: count })).cpu)
      for (const name of names) await servers[name].disconnect()
      const ratioOf = ([which, store]) => (times[`${which}, ${store}`] / times[`multer, ${store}`]).toFixed(2)
      rows.push([what, ...names.map((name) => times[name].toFixed(0)), ...ratios.map(ratioOf)])
    }
    const heads = ratios.map(([which, store]) => `${which} / multer, ${store}`)
    return textTable(['server CPU us per upload', ...names, ...heads], rows)
  })
}

function inMemory () {
  return withLab(async (lab) => {
    const upload = uploadOf(fileOf(randomBytes(20 * MB)))
    const peaks = await alternate(['discard', 'multer, disk', 'ours, disk', 'entry, disk'], async (name) => {
      const server = await start(lab, name)
      const { rss } = await server.ask('figures')
      await server.connect(upload, 50)
      await server.load({ amount: 50 })
      const peak = (await server.ask('figures')).rss
      await lab.stopServers()
      return (peak - rss) / MB
    })
    return textTable(['50 uploads of 20 MB at a time', 'peak MB above idle'], Object.entries(peaks).map(([name, peak]) => [name, peak.toFixed(0)]))
  })
}

({ process: inProcesses, one, mixed, express: inExpress, memory: inMemory })[mode]().then(console.log)
