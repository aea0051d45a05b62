'use strict'

// fast-body-parser/web under real servers, each a program of its own: @hono/node-server and h3 under this Node, and
// those of Bun and Deno.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { RUNTIMES, Server, inPieces } = require('../support/server')

const PROGRAMS = path.join(__dirname, 'programs')
const JSON_TYPE = 'application/json'
const NDJSON_TYPE = 'application/x-ndjson'
const FLOOD = 0x10000000 // bytes
const FLOOD_TIME = 3000 // ms
const MOST_MEMORY = FLOOD / 2 // bytes that a server may take, of which most are chunks that were let go
const servers = {
  'Hono, @hono/node-server': [process.execPath, 'server.mjs'],
  h3: [process.execPath, 'h3.mjs'],
  Bun: [...RUNTIMES.Bun, 'server.mjs'],
  Deno: [...RUNTIMES.Deno, 'server.mjs']
}

const arrayOf = (length) => JSON.stringify(['x'.repeat(length)])
const recordsOf = (count) => Array.from({ length: count }, (_, n) => `{"n":${n},"text":"é☃"}\n`).join('')
const tooLarge = { type: 'entity.too.large' }
const notJson = { type: 'entity.parse.failed' }

/** What -> its path, its type and itself; the status and the answer */
const bodies = {
  JSON: ['/', JSON_TYPE, '{"a":"é"}', 200, { body: { a: 'é' } }],
  'what is not JSON': ['/', JSON_TYPE, '{', 400, notJson],
  'JSON of 5 MB': ['/large', JSON_TYPE, arrayOf(5_000_000), 200, { body: { length: 5_000_000 } }],
  'JSON of 11 MB': ['/large', JSON_TYPE, arrayOf(11_000_000), 413, tooLarge],
  'JSON that is cut': ['/large', JSON_TYPE, arrayOf(70_000).slice(0, -1), 400, notJson],
  '200,000 records': ['/large', NDJSON_TYPE, recordsOf(200_000), 200, { body: { records: 200_000, sum: 19999900000 } }],
  'records of which one is cut': ['/large', NDJSON_TYPE, `${recordsOf(3000)}{`, 400, notJson]
}

/** What -> header fields that may be wrong; the body, and the answer. */
const lengths = {
  less: [{ 'Content-Length': 3 }, `[1]${' '.repeat(20_000)}`, /^HTTP\/1\.1 (?:200[^]*\{"body":\[1\]\}|400)/],
  more: [{ 'Content-Length': 9 }, '[1]', /^(?:HTTP\/1\.1 400|$)/],
  'less, and to be chunked,': [
    { 'Content-Length': 5, 'Transfer-Encoding': 'chunked' },
    `5000\r\n${'['.padEnd(0x5000)}\r\n0\r\n\r\n`,
    /^HTTP\/1\.1 400/
  ]
}

/** What -> header fields. A server that closes at once may reset the connection before its answer is read. */
const floods = {
  'is longer than it says': [{ 'Content-Length': 5 }, /^(?:HTTP\/1\.1 400|$)/],
  'is in a chunk that does not end': [{ 'Transfer-Encoding': 'chunked' }, /^(?:HTTP\/1\.1 4|$)/],
  'is coded, and longer than it says': [{ 'Content-Encoding': 'gzip', 'Content-Length': 5 }, /^(?:HTTP\/1\.1 400|$)/],
  'declares its length': [{ 'Content-Length': FLOOD }, /^(?:HTTP\/1\.1 413|$)/]
}

const blanks = Buffer.alloc(FLOOD, ' ')
const bombs = {
  gzip: zlib.gzipSync(blanks),
  br: zlib.brotliCompressSync(blanks, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } })
}

/** @returns {number} bytes at most so far; NaN where there is no /proc */
function memoryOf ({ child }) {
  try {
    const status = fs.readFileSync(`/proc/${child.pid}/status`, 'latin1')
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)[1]) * 1024
  } catch {
    return NaN
  }
}

/** Writes bytes as fast as a server takes them, until it closes, or for some seconds. */
async function flood (socket, start) {
  const piece = Buffer.alloc(256 * 1024, '[')
  let left = FLOOD
  const pour = () => {
    while (left > 0 && socket.writable) {
      left -= piece.length
      if (!socket.write(piece)) return socket.once('drain', pour)
    }
  }
  socket.write(start)
  pour()
  const answer = allOf(socket)
  await Promise.race([answer, delay(FLOOD_TIME)])
  socket.destroy()
  return answer
}

/** @returns {Promise<string>} what comes until the connection is closed */
function allOf (socket) {
  let text = ''
  socket.on('data', (chunk) => { text += chunk })
  return new Promise((resolve) => socket.once('close', () => resolve(text)))
}

function formOf (size) {
  const data = new FormData()
  data.append('a', 'é')
  data.append('f', new File(['x'.repeat(size)], 'ü.bin'))
  return data
}

for (const [name, command] of Object.entries(servers)) {
  describe(`fast-body-parser/web under ${name}`, () => {
    let server

    before(async () => {
      server = await Server.start(command, PROGRAMS)
    })

    after(() => server.stop())

    for (const [what, [path, type, body, status, answer]] of Object.entries(bodies)) {
      it(`answers ${status} to ${what}, whole and in pieces`, async () => {
        assert.deepEqual(await server.post(path, body, type), [status, answer])
        assert.deepEqual(await server.post(path, inPieces(body), type), [status, answer])
      })
    }

    for (const [way, answer] of Object.entries({
      memory: ['é', [['ü.bin', 5_000_000, 5_000_000, 'undefined', null]], 0],
      disk: ['é', [['ü.bin', 5_000_000, null, 'string', null]], 0],
      stream: ['é', [['ü.bin', 5_000_000, null, 'undefined', 5_000_002]], 0],
      parts: ['é', 5_000_000]
    })) {
      it(`reads forms, and refuses one over the limit: ${way}`, async () => {
        assert.deepEqual(await server.post(`/forms/${way}`, formOf(5_000_000)), [200, { body: answer }])
        assert.deepEqual(await server.post(`/forms/${way}`, formOf(11_000_000)), [413, tooLarge])
      })
    }

    it('puts pieces together', async () => {
      const body = Buffer.from('{"a":"é☃"}')
      const fields = { 'Content-Type': JSON_TYPE, 'Content-Length': body.length, Connection: 'close' }
      const socket = server.connect('/', fields)
      for (const byte of body) {
        socket.write(Buffer.of(byte))
        await turn()
      }
      assert.match(await allOf(socket), /^HTTP\/1\.1 200[^]*\{"body":\{"a":"é☃"\}\}/)
    })

    for (const [what, [fields, body, answer]] of Object.entries(lengths)) {
      it(`gives no more than was declared of a body that says to be ${what}`, async () => {
        const socket = server.connect('/', { Connection: 'close', 'Content-Type': JSON_TYPE, ...fields })
        socket.write(body)
        if (what === 'more') socket.end()
        assert.match(await allOf(socket), answer)
      })
    }

    for (const [what, [fields, answer]] of Object.entries(floods)) {
      it(`takes little into memory of a flood that ${what}`, async () => {
        const before = memoryOf(server)
        const socket = server.connect('/', { 'Content-Type': JSON_TYPE, ...fields })
        assert.match(await flood(socket, 'Transfer-Encoding' in fields ? `${FLOOD.toString(16)}\r\n` : ''), answer)
        const taken = memoryOf(server) - before
        assert.ok(!(taken > MOST_MEMORY), `${taken}`)
        assert.deepEqual(await server.post('/', '[1]', JSON_TYPE), [200, { body: [1] }])
      })
    }

    for (const [coding, body] of Object.entries(bombs)) {
      it(`takes little into memory of a bomb in ${coding}`, async () => {
        const before = memoryOf(server)
        const headers = { 'content-type': JSON_TYPE, 'content-encoding': coding }
        assert.deepEqual(await server.ask('/', { method: 'POST', headers, body }), [413, tooLarge])
        const taken = memoryOf(server) - before
        assert.ok(!(taken > MOST_MEMORY), `${taken}`)
      })
    }
  })
}
