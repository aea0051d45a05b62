'use strict'

// The middlewares of uploads and records on each runtime, in a program of their own: programs/node-http.cjs.

const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const path = require('node:path')
const { form } = require('../../support/upload')
const { RUNTIMES, Server, inPieces } = require('../support/server')

const PROGRAMS = path.join(__dirname, 'programs')
const TYPE = 'multipart/form-data; boundary=b'
const MIB = 2 ** 20
const WAYS = ['/disk', '/store', '/parts', '/multer/disk', '/multer/engine']

const contentOf = (size) => Buffer.alloc(size, '\r\n--boundary- what resembles the end of the part\r\n')
const formOf = (content) => form(['a', '1'], ['f', content, 'x.bin'], ['b', '2'])

for (const [name, command] of Object.entries(RUNTIMES)) {
  describe(`under ${name}`, () => {
    let server

    before(async () => {
      server = await Server.start([...command, 'node-http.cjs'], PROGRAMS)
    })

    after(() => server.stop())

    for (const way of WAYS) {
      it(`a file of 5 MB is read, ${way}`, async () => {
        const content = contentOf(5 * MIB)
        const sha1 = createHash('sha1').update(content).digest('hex')
        const answer = { body: { a: '1', b: '2' }, file: ['x.bin', 5 * MIB, sha1] }
        assert.deepEqual(await server.post(way, inPieces(formOf(content)), TYPE), [200, answer])
      })

      it(`a file over its size is refused, and nothing of it is left, ${way}`, async () => {
        const type = way.startsWith('/multer') ? 'LIMIT_FILE_SIZE' : 'multipart.file.too.large'
        const body = inPieces(formOf(contentOf(5 * MIB + 50_000)))
        assert.deepEqual(await server.post(way, body, TYPE), [413, { type, left: 0 }])
      })

      it(`nothing is left of a client that leaves, ${way}`, async () => {
        const body = formOf(contentOf(MIB))
        const socket = server.connect(way, { 'Content-Type': TYPE, 'Content-Length': body.length })
        socket.write(body.subarray(0, 500_000), () => socket.destroy())
        assert.deepEqual(await server.ask(way), [200, { type: 'request.aborted', left: 0 }])
      })
    }

    it('records are read, and refused if one is not JSON', async () => {
      const records = Array.from({ length: 200_000 }, (_, n) => `{"n":${n},"text":"é☃"}\n`).join('')
      const post = (body) => server.post('/ndjson', inPieces(body), 'application/x-ndjson')
      assert.deepEqual(await post(records), [200, { body: { records: 200_000, sum: 19_999_900_000 } }])
      assert.deepEqual(await post(`${records}{\n`), [400, { type: 'entity.parse.failed', left: 0 }])
    })
  })
}
