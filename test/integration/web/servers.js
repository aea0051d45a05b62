'use strict'

// fast-body-parser/web under real servers, each a program of its own:
// @hono/node-server and h3 under this Node, and those of Bun and Deno.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { RUNTIMES, startServer } = require('../support/server')

const PROGRAMS = path.join(__dirname, 'programs')
const JSON_TYPE = { 'content-type': 'application/json' }
const NDJSON_TYPE = { 'content-type': 'application/x-ndjson' }
const PIECE = 10_007 // bytes
const FLOOD = 0x10000000 // bytes
const FLOOD_TIME = 3000 // ms
const MOST_MEMORY = FLOOD / 2 // bytes that a server may take, of which most are chunks that were let go
const servers = {
  'Hono, @hono/node-server': [process.execPath, 'hono.mjs'],
  h3: [process.execPath, 'h3.mjs'],
  Bun: [...RUNTIMES.Bun, 'bun.mjs'],
  Deno: [...RUNTIMES.Deno, 'deno.mjs']
}

/** Cuts what it gets into pieces. */
const cutter = () => new TransformStream({
  transform (chunk, controller) {
    for (let at = 0; at < chunk.length; at += PIECE) controller.enqueue(chunk.subarray(at, at + PIECE))
  }
})

/** @returns {number} bytes; NaN where there is no /proc */
function memoryOf ({ pid }) {
  try {
    return Number(/VmRSS:\s*(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) * 1024
  } catch {
    return NaN
  }
}

/** Writes bytes as fast as a server takes them, until it closes, or for some seconds. */
async function flood (port, head) {
  const piece = Buffer.alloc(256 * 1024, '[')
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  let answer = ''
  let left = FLOOD
  const pour = () => {
    while (left > 0 && socket.writable) {
      left -= piece.length
      if (!socket.write(piece)) return socket.once('drain', pour)
    }
  }
  socket.on('data', (chunk) => { answer += chunk })
  socket.write(head)
  pour()
  await Promise.race([new Promise((resolve) => socket.once('close', resolve)), delay(FLOOD_TIME)])
  socket.destroy()
  return answer
}

/** Writes a request by hand; gives the bytes of the answer. */
async function write (port, pieces) {
  const socket = net.connect(port, '127.0.0.1')
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return new Promise((resolve, reject) => {
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      if (/\r\n\r\n[^]*\}/.test(answer)) {
        socket.destroy()
        resolve(answer)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

for (const [name, command] of Object.entries(servers)) {
  describe(`fast-body-parser/web under ${name}`, () => {
    let child
    let port

    before(async () => {
      ({ child, port } = await startServer(command, PROGRAMS))
    })

    after(() => child.kill())

    async function post (headers, body, path = '/') {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body, duplex: 'half' })
      return [response.status, await response.json()]
    }

    for (const [what, headers, body, status, answer] of [
      ['JSON', JSON_TYPE, '{"a":"é"}', 200, { body: { a: 'é' } }],
      ['JSON in chunks', JSON_TYPE, () => new Blob(['{"a"', ':1}']).stream(), 200, { body: { a: 1 } }],
      ['gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }, zlib.gzipSync('{"a":1}'), 200, { body: { a: 1 } }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a[b]=1', 200, { body: { a: { b: '1' } } }],
      ['an empty body', JSON_TYPE, '', 200, { body: {} }],
      ['what is not JSON', JSON_TYPE, '{', 400, { type: 'entity.parse.failed' }],
      ['a body over the limit', JSON_TYPE, `"${'x'.repeat(20_000)}"`, 413, { type: 'entity.too.large' }],
      ['a large body over the limit, in chunks', JSON_TYPE, () => new Blob(['x'.repeat(2_000_000)]).stream(), 413,
        { type: 'entity.too.large' }],
      ['a bomb', { ...JSON_TYPE, 'content-encoding': 'gzip' }, zlib.gzipSync(Buffer.alloc(20_000_000)), 413,
        { type: 'entity.too.large' }]
    ]) {
      it(`answers ${status} to ${what}`, async () => {
        const [seen, { type, body: parsed }] = await post(headers, typeof body === 'function' ? body() : body)
        assert.equal(seen, status)
        assert.deepEqual({ ...(type !== undefined && { type }), ...(parsed !== undefined && { body: parsed }) }, answer)
      })
    }

    it('answers a GET', async () => {
      const response = await fetch(`http://127.0.0.1:${port}/`)
      assert.deepEqual([response.status, await response.json()], [200, {}])
    })

    const textOf = (length) => JSON.stringify(['x'.repeat(length)])
    const recordsOf = (count) => Array.from({ length: count }, (_, n) => `{"n":${n},"text":"é☃"}\n`).join('')
    for (const [what, headers, text, status, answer] of [
      ['JSON of 5 MB', JSON_TYPE, textOf(5_000_000), 200, { body: { length: 5_000_000 } }],
      ['JSON of 11 MB', JSON_TYPE, textOf(11_000_000), 413, { type: 'entity.too.large' }],
      ['JSON that is cut', JSON_TYPE, textOf(70_000).slice(0, -1), 400, { type: 'entity.parse.failed' }],
      ['200,000 records', NDJSON_TYPE, recordsOf(200_000), 200, { body: { records: 200_000, sum: 19_999_900_000 } }],
      ['records of which one is cut', NDJSON_TYPE, `${recordsOf(3000)}{`, 400, { type: 'entity.parse.failed' }]
    ]) {
      it(`answers ${status} to ${what}, whole and in pieces`, async () => {
        assert.deepEqual(await post(headers, text, '/large'), [status, answer])
        assert.deepEqual(await post(headers, new Blob([text]).stream().pipeThrough(cutter()), '/large'),
          [status, answer])
      })
    }

    for (const size of [3, 5_000_000]) {
      for (const [way, answer] of Object.entries({
        memory: ['é', [['ü.bin', size, size, 'undefined', null]], 0],
        disk: ['é', [['ü.bin', size, null, 'string', null]], 0],
        stream: ['é', [['ü.bin', size, null, 'undefined', size + 2]], 0],
        parts: ['é', size]
      })) {
        it(`reads a form with a file of ${size} bytes: ${way}`, async () => {
          const data = new FormData()
          data.append('a', 'é')
          data.append('f', new File(['x'.repeat(size)], 'ü.bin'))
          assert.deepEqual(await post({}, data, `/forms/${way}`), [200, { body: answer }])
        })
      }
    }

    it('refuses a form over the limit, and one that is cut', async () => {
      const data = new FormData()
      data.append('f', new File(['x'.repeat(11_000_000)], 'x'))
      const cut = Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n1')
      for (const way of ['memory', 'disk', 'stream', 'parts']) {
        assert.deepEqual(await post({}, data, `/forms/${way}`), [413, { type: 'entity.too.large' }], way)
        assert.deepEqual(await post({ 'content-type': 'multipart/form-data; boundary=b' }, cut, `/forms/${way}`),
          [400, { type: 'multipart.unterminated' }], way)
      }
    })

    it('puts pieces together', async () => {
      const head = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n'
      const body = Buffer.from('{"a":"é☃"}')
      const pieces = [`${head}Content-Length: ${body.length}\r\n\r\n`, ...Array.from(body, (byte) => Buffer.of(byte))]
      assert.match(await write(port, pieces), /^HTTP\/1\.1 200[^]*\{"body":\{"a":"é☃"\}\}/)
    })

    for (const [what, fields, body, answer] of [
      ['less', 'Content-Length: 3', `[1]${' '.repeat(20_000)}`, /^HTTP\/1\.1 (?:200[^]*\{"body":\[1\]\}|400)/],
      ['more', 'Content-Length: 9', '[1]', /^(?:HTTP\/1\.1 400|$)/],
      [
        'less, and to be chunked,', 'Content-Length: 5\r\nTransfer-Encoding: chunked',
        `5000\r\n${'['.padEnd(0x5000)}\r\n0\r\n\r\n`, /^HTTP\/1\.1 400/
      ],
      ['two lengths', 'Content-Length: 3\r\nContent-Length: 5', '[1]  ', /^HTTP\/1\.1 400/]
    ]) {
      it(`gives no more than was declared of a body that says to be ${what}`, async () => {
        const socket = net.connect(port, '127.0.0.1')
        socket.write('POST / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n' +
          `Content-Type: application/json\r\n${fields}\r\n\r\n${body}`)
        if (what === 'more') socket.end()
        let seen = ''
        socket.on('data', (chunk) => { seen += chunk }).on('error', () => {})
        await new Promise((resolve) => socket.once('close', resolve))
        assert.match(seen, answer)
      })
    }

    // A server that closes at once may reset the connection before its answer is read.
    for (const [what, fields, answer] of [
      ['is longer than it says', 'Content-Length: 5\r\n', /^(?:HTTP\/1\.1 400|$)/],
      ['is in a chunk that does not end', 'Transfer-Encoding: chunked\r\n', /^(?:HTTP\/1\.1 4|$)/],
      ['is coded, and longer than it says', 'Content-Encoding: gzip\r\nContent-Length: 5\r\n', /^(?:HTTP\/1\.1 400|$)/],
      ['declares its length', `Content-Length: ${FLOOD}\r\n`, /^(?:HTTP\/1\.1 413|$)/]
    ]) {
      it(`takes little into memory of a flood that ${what}`, async () => {
        const head = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n${fields}\r\n`
        await post(JSON_TYPE, '[1]')
        const before = memoryOf(child)
        const start = fields.startsWith('Transfer') ? `${head}${FLOOD.toString(16)}\r\n` : head
        assert.match(await flood(port, start), answer)
        const taken = memoryOf(child) - before
        assert.ok(!(taken > MOST_MEMORY), `${taken}`)
        assert.deepEqual(await post(JSON_TYPE, '[1]'), [200, { body: [1] }])
      })
    }

    it('serves on after a client has left', async () => {
      const socket = net.connect(port, '127.0.0.1')
      const head = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
      socket.write(`${head}{"a"`, () => socket.destroy())
      await new Promise((resolve) => socket.once('close', resolve))
      assert.deepEqual(await post(JSON_TYPE, '[1]'), [200, { body: [1] }])
    })

    it('serves many at a time', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => post(JSON_TYPE, `{"a":${i}}`)))
      assert.deepEqual(answers, answers.map((_, i) => [200, { body: { a: i } }]))
    })
  })
}
