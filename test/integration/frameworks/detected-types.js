'use strict'

// Option `detect` with the package file-type, as docs/multipart.md has it.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const zlib = require('node:zlib')
const express = require('express')
const { multipart } = require('../../..')
const multer = require('../../../lib/types/multer')
const web = require('../../../lib/web')

const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0', 'latin1'),
  Buffer.alloc(10_000),
  Buffer.from('IEND')
])

/** What is sent, by name: its bytes, the type that the client says, and what it is. */
const FILES = {
  'a.txt': [PNG, 'text/plain', 'image/png'],
  'b.png': [Buffer.from('<script>alert(1)</script>'), 'image/png', 'application/octet-stream'],
  'c.png': [Buffer.from('%PDF-1.7\n'), 'image/png', 'application/pdf'],
  'd.png': [zlib.gzipSync('hello'), 'image/png', 'application/gzip'],
  'e.png': [Buffer.alloc(0), 'image/png', 'application/octet-stream']
}
const TYPES = Object.fromEntries(Object.entries(FILES).map(([name, [, , type]]) => [name, type]))

function formOf (names) {
  const form = new FormData()
  for (const name of names) form.append('f', new Blob([FILES[name][0]], { type: FILES[name][1] }), name)
  return form
}

describe('file-type as detect', () => {
  const rules = { files: { '*': { max: 9 } } }
  let detect
  let server
  let url

  before(async () => {
    const { fileTypeFromBuffer } = await import('file-type')
    detect = async (head) => (await fileTypeFromBuffer(head))?.mime
    const answer = (req, res) => res.json(Object.fromEntries(Object.values(req.files).flat().map(
      ({ name, originalname = name, type, mimetype = type }) => [originalname, mimetype])))
    const app = express()
    app.set('env', 'test') // logs no error
    app.post('/memory', multipart({ ...rules, detect }), answer)
    app.post('/multer', multer({ detect }).any(), answer)
    app.post('/pictures', multipart({ files: { f: { max: 9, types: ['image/png'] } }, detect }), answer)
    app.post('/stream', multipart({ ...rules, detect, store: 'stream' }), async (req, res) => {
      const types = {}
      for await (const { name, type } of req.files) types[name] = type
      res.json(types)
    })
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${server.address().port}`
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  for (const path of ['/memory', '/multer', '/stream']) {
    it(`tells what files are, whatever a client calls them: ${path}`, async () => {
      const response = await fetch(url + path, { method: 'POST', body: formOf(Object.keys(FILES)) })
      assert.deepEqual([response.status, await response.json()], [200, TYPES])
    })
  }

  it('is a promise of a rule that lists types', async () => {
    const statusOf = async (name) => (await fetch(`${url}/pictures`, { method: 'POST', body: formOf([name]) })).status
    assert.deepEqual(await Promise.all(Object.keys(FILES).map(statusOf)), [200, 415, 415, 415, 415])
  })

  it('tells the same on /web', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: formOf(Object.keys(FILES)) })
    const { files } = await web.multipart({ ...rules, detect })(request)
    assert.deepEqual(Object.fromEntries(files.f.map(({ name, type }) => [name, type])), TYPES)
  })
})
