'use strict'

// Uploads and records under each runtime that docs/runtimes.md names: a program
// of its own reads them, see programs/server.cjs.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const { once } = require('node:events')
const net = require('node:net')
const path = require('node:path')
const readline = require('node:readline')
const { RUNTIMES } = require('../support/server')

const PROGRAM = path.join(__dirname, 'programs/server.cjs')
const MIB = 2 ** 20
const PIECE = 10_007 // bytes: the boundary and the line ends are cut at other places each time
const LINE = '\r\n--boundary- what resembles the end of the part\r\n'
const sizes = { 'of no bytes': 0, small: 20, 'of 5 MB': 5 * MIB }
const parsers = ['/memory', '/disk', '/store', '/parts', '/multer/memory', '/multer/disk', '/multer/engine']

const contentOf = (size) => Buffer.alloc(size, LINE)
const sha1 = (bytes) => createHash('sha1').update(bytes).digest('hex')

function form (content, name = 'f') {
  const head = '--boundary\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
    `--boundary\r\nContent-Disposition: form-data; name="${name}"; filename="x.bin"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  const tail = '\r\n--boundary\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--boundary--\r\n'
  return Buffer.concat([Buffer.from(head), content, Buffer.from(tail)])
}

const piecesOf = (bytes) =>
  Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, i) => bytes.subarray(i * PIECE, (i + 1) * PIECE))

class Program {
  constructor ([command, ...args]) {
    this.child = spawn(command, [...args, PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.lines = readline.createInterface(this.child.stdout)[Symbol.asyncIterator]()
  }

  async line () {
    const { value } = await this.lines.next()
    return JSON.parse(value)
  }

  async open () {
    this.port = await this.line()
  }

  async close () {
    const closed = once(this.child, 'close')
    this.child.stdin.end()
    await closed
  }

  /** A body in pieces has no declared length. */
  async post (url, body, type = 'multipart/form-data; boundary=boundary') {
    const content = Array.isArray(body) ? new Blob(body).stream().pipeThrough(cutter()) : body
    const response = await fetch(`http://127.0.0.1:${this.port}${url}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: content,
      duplex: 'half'
    })
    return { status: response.status, answer: await response.json(), line: await this.line() }
  }

  /** Sends the first bytes of a body, and leaves. */
  async leave (url, body, length, type = 'multipart/form-data; boundary=boundary') {
    const socket = net.connect(this.port, '127.0.0.1')
    socket.on('error', () => {})
    const head = `POST ${url} HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head)
    socket.write(body.subarray(0, length), () => socket.destroy())
    return await this.line()
  }
}

/** Cuts what it gets into pieces. */
const cutter = () => new TransformStream({
  transform (chunk, controller) {
    for (const piece of piecesOf(chunk)) controller.enqueue(piece)
  }
})

for (const [name, command] of Object.entries(RUNTIMES)) {
  describe(`uploads under ${name}`, () => {
    let program

    before(async () => {
      program = new Program(command)
      await program.open()
    })

    after(() => program.close())

    for (const url of parsers) {
      for (const [what, size] of Object.entries(sizes)) {
        for (const isCut of [false, true]) {
          it(`reads a file ${what}${isCut ? ', in pieces' : ''}, ${url}`, async () => {
            const content = contentOf(size)
            const { status, answer } = await program.post(url, isCut ? [form(content)] : form(content))
            const file = { name: 'x.bin', size, sha1: sha1(content) }
            assert.deepEqual([status, answer], [200, { body: { a: '1', b: '2' }, file }])
          })
        }
      }

      const isMulter = url.startsWith('/multer')
      const big = 5 * MIB + 50_000
      for (const [what, body, status, type] of [
        ['a file over its size', form(contentOf(big)), 413, isMulter ? 'LIMIT_FILE_SIZE' : 'multipart.file.too.large'],
        ['a file that no rule has', form(contentOf(9), 'other'), 400,
          isMulter ? 'LIMIT_UNEXPECTED_FILE' : 'multipart.file.unexpected'],
        ['a form without its end', form(contentOf(70_000)).subarray(0, 50_000), 400,
          isMulter ? 'Unexpected end of form' : 'multipart.unterminated']
      ]) {
        it(`answers ${status} to ${what}, and leaves no file, ${url}`, async () => {
          const { line, ...seen } = await program.post(url, [body])
          assert.deepEqual(seen, { status, answer: { type } })
          assert.deepEqual(line, { path: url, type, left: 0 })
        })
      }

      it(`leaves no file of a client that leaves, ${url}`, async () => {
        const line = await program.leave(url, form(contentOf(MIB)), 500_000)
        assert.deepEqual(line, { path: url, type: 'request.aborted', left: 0 })
      })
    }

    it('serves many uploads at a time', async () => {
      const content = contentOf(100_000)
      const answers = await Promise.all(Array.from({ length: 20 }, () => program.post('/memory', [form(content)])))
      for (const { answer } of answers) assert.equal(answer.file.sha1, sha1(content))
    })
  })

  describe(`records under ${name}`, () => {
    const TYPE = 'application/x-ndjson'
    const recordsOf = (count) =>
      Buffer.from(Array.from({ length: count }, (_, n) => `{"n":${n},"text":"é☃"}\n`).join(''))
    let program

    before(async () => {
      program = new Program(command)
      await program.open()
    })

    after(() => program.close())

    for (const count of [3, 200_000]) {
      for (const isCut of [false, true]) {
        it(`are all read, if they are ${count}${isCut ? ', in pieces' : ''}`, async () => {
          const bytes = recordsOf(count)
          const { status, answer } = await program.post('/ndjson', isCut ? [bytes] : bytes, TYPE)
          assert.deepEqual([status, answer], [200, { body: { records: count, sum: count * (count - 1) / 2 } }])
        })
      }
    }

    it('are refused if one is not JSON', async () => {
      const { status, answer } = await program.post('/ndjson', [recordsOf(3_000), '{\n'], TYPE)
      assert.deepEqual([status, answer], [400, { type: 'entity.parse.failed' }])
    })

    it('end with an error if the client leaves', async () => {
      const bytes = recordsOf(3_000)
      assert.equal((await program.leave('/ndjson', bytes, bytes.length / 2, TYPE)).type, 'request.aborted')
    })
  })
}
