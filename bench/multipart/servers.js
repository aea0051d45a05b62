'use strict'

// Servers with a whole stack, each in a process of its own.

const { fork } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { multipart } = require('../..')
const { KB, MB, TYPE, fields, fileOf } = require('./bodies')

const LIMIT = 64 * MB

/** Each is given a folder. */
const stacks = {
  discard: () => (req, res, next) => req.on('data', () => {}).on('end', next),
  join: () => (req, res, next) => req.toArray().then((chunks) => next(Buffer.concat(chunks).length > 0 ? undefined : 'empty')),
  'multer, memory': () => require('multer')({ storage: require('multer').memoryStorage() }).any(),
  'ours, memory': () => multipart({ limit: LIMIT }),
  'multer, disk': (folder) => require('multer')({ dest: folder }).any(),
  'ours, disk': (folder) => multipart({ limit: LIMIT, store: multipart.disk(folder) })
}

/** In a process of its own: prints its port, and what it has used when asked. */
function serve (name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-multipart-'))
  const app = require('express')().post('/', stacks[name](folder), (req, res) => {
    for (const file of name.startsWith('multer') ? req.files : []) if (file.path) fs.unlink(file.path, () => {})
    res.end()
  })
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('message', () => process.send({ ...process.cpuUsage(), rss: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * KB }))
  process.on('disconnect', () => { fs.rmSync(folder, { recursive: true }); process.exit() })
}

async function start (name) {
  const child = fork(__filename, [name])
  const [port] = await once(child, 'message')
  const agent = new http.Agent({ keepAlive: true })
  const ask = async () => { child.send('usage'); return (await once(child, 'message'))[0] }
  const post = (body) => new Promise((resolve, reject) => {
    http.request({ port, agent, method: 'POST', headers: { 'content-type': TYPE, 'content-length': body.length } }, (res) => res.resume().on('end', resolve)).on('error', reject).end(body)
  })
  return { ask, post, stop: () => { agent.destroy(); child.disconnect() } }
}

async function inExpress (alternate, print) {
  const names = Object.keys(stacks)
  const servers = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await start(name)])))
  const rows = [['server CPU us per upload', ...names, 'ratio, memory', 'ratio, disk']]
  for (const [what, body, count] of [['1 MB file', fileOf(randomBytes(MB)), 30], ['10 MB file', fileOf(randomBytes(10 * MB)), 6], ['20 fields', fields, 100]]) {
    const time = await alternate(names, async (name) => {
      const begin = await servers[name].ask()
      for (let i = 0; i < count; i++) await servers[name].post(body)
      const end = await servers[name].ask()
      return (end.user + end.system - begin.user - begin.system) / count
    })
    rows.push([what, ...names.map((name) => time(name).toFixed(0)), ...['memory', 'disk'].map((store) => (time(`ours, ${store}`) / time(`multer, ${store}`)).toFixed(2))])
  }
  print(rows)
  for (const { stop } of Object.values(servers)) stop()
}

async function inMemory (alternate) {
  const body = fileOf(randomBytes(20 * MB))
  const peaks = await alternate(['discard', 'multer, disk', 'ours, disk'], async (name) => {
    const { ask, post, stop } = await start(name)
    await post(fileOf(randomBytes(KB)))
    const { rss } = await ask()
    await Promise.all(Array.from({ length: 50 }, () => post(body)))
    const { peak } = await ask()
    stop()
    return (peak - rss) / MB
  })
  for (const name of ['discard', 'multer, disk', 'ours, disk']) console.log(`${name}: 50 uploads of 20 MB at a time peak at ${peaks(name).toFixed(0)} MB above idle`)
}

if (require.main === module) serve(process.argv[2])
else module.exports = { inExpress, inMemory }
