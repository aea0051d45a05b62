'use strict'

// What a server keeps of its memory after bursts of large bodies:
//   node perf/kept-memory.js [body-parser]
// Flags and variables of this process count for the server, such as
// NODE_OPTIONS=--max-semi-space-size=4, or LD_PRELOAD for another allocator.

const { fork } = require('node:child_process')
const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')

const BODIES = 200 // at a time
const BYTES = 1e6 // of each
const BURSTS = 3

/** The server: tells its resident set, in bytes, whenever it is asked. */
async function serve (name) {
  const parse = require(name).json({ limit: BYTES })
  const server = http.createServer((req, res) => parse(req, res, (error) => res.writeHead(200, { Connection: 'close' }).end(error ? error.message : 'parsed')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  process.on('message', async () => {
    for (let i = 0; i < 4; i++) await delay(50, global.gc()) // threads free buffers after the collection
    process.send(process.memoryUsage.rss())
  })
  process.send(server.address().port)
}

/** Sends all bodies together but for their last bytes, then these. */
async function burst (port) {
  const record = JSON.stringify({ id: 1, name: 'Ada Lovelace', tags: ['a', 'b'], note: 'x'.repeat(100) })
  const records = Array(Math.floor((BYTES - 2) / (record.length + 1))).fill(record).join()
  const body = `[${records.padEnd(BYTES - 2)}]`
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const sockets = Array.from({ length: BODIES }, () => net.connect(port, '127.0.0.1').setEncoding('latin1'))
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(head + body.slice(0, -1), resolve))))
  await Promise.all(sockets.map(async (socket) => {
    socket.write(body.slice(-1))
    if (!(await socket.toArray()).join('').includes('parsed')) throw new Error('a body was not parsed')
  }))
}

async function measure (name) {
  const server = fork(__filename, ['serve', name], { execArgv: ['--expose-gc'] })
  const ask = async () => {
    server.send('rss')
    return (await once(server, 'message'))[0]
  }
  try {
    const [port] = await once(server, 'message')
    const before = await ask()
    const kept = []
    for (let i = 0; i < BURSTS; i++) {
      await burst(port)
      kept.push(`${Math.round((await ask() - before) / 1e6)} MB`)
    }
    console.log(`Node ${process.version}, ${name}: ${kept.join(', ')} more than before the first burst, after each of ${BURSTS}`)
  } finally {
    server.kill()
  }
}

if (process.argv[2] === 'serve') serve(process.argv[3])
else measure(process.argv[2] ?? '..')
