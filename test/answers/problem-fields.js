'use strict'

// What an error of the app's has in `headers`, answered by problemDetails over
// HTTP/1 and HTTP/2: what cannot be sent is dropped, and the answer is sent.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const { json, problemDetails } = require('../..')
const { listen } = require('../../tools/local-server')

const PROBLEM = { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'no', code: 'entity.verify.failed' }
const TYPE = { 'content-type': 'application/json' }

/** Each sends a body to a port, and gives the header and the text of the answer. */
const clients = {
  'HTTP/1': {
    createServer: http.createServer,
    async post (port) {
      const request = http.request({ host: '127.0.0.1', port, method: 'POST', headers: TYPE, maxHeaderSize: 2 ** 20 })
        .end('{}')
      const [response] = await once(request, 'response')
      return { fields: response.headers, text: String(Buffer.concat(await response.toArray())) }
    }
  },
  'HTTP/2': {
    createServer: http2.createServer,
    async post (port) {
      const client = http2.connect(`http://127.0.0.1:${port}`, { maxHeaderListPairs: 5000 })
      const stream = client.request({ ':method': 'POST', ...TYPE }).end('{}')
      const [fields] = await once(stream, 'response')
      const text = String(Buffer.concat(await stream.toArray()))
      client.close()
      return { fields, text }
    }
  }
}

const OWN = [':status', 'connection', 'content-length', 'content-type', 'date', 'keep-alive']

// [what, headers, fields of the answer that are looked at]
const rows = [
  ['a field', { 'Retry-After': '5' }, { 'retry-after': '5' }],
  ['a field that may have several values', { 'x-a': ['a', 'b'], link: ['</a>', '</b>'] },
    { 'x-a': 'a, b', link: '</a>, </b>' }],
  ['cookies', { 'Set-Cookie': ['a=1', 'b=2'] }, { 'set-cookie': ['a=1', 'b=2'] }],
  ['several values of a field with one', { age: ['1', '2'], 'x-a': 'a' }, { age: '1, 2', 'x-a': 'a' }],
  ['fields of another connection',
    { Connection: 'close, X-Hop', 'http2-settings': 'AAMAAABk', 'Keep-Alive': 'x', TE: 'gzip', upgrade: 'h2c' },
    { 'http2-settings': undefined, te: undefined, upgrade: undefined }],
  ['fields of another content',
    { 'Content-Digest': 'x', 'Content-Encoding': 'gzip', 'Content-Length': '3', ETag: 'x', 'Content-Type': 'a/b' },
    { 'content-encoding': undefined, etag: undefined }],
  ['a field that is not about content', { 'Content-Security-Policy': "default-src 'none'" },
    { 'content-security-policy': "default-src 'none'" }],
  ['a pseudo-header', { ':status': '200', ':path': '/', 'x-a': 'a' }, { ':path': undefined, 'x-a': 'a' }],
  ['names that are no names', { '': 'a', 'x a': 'a', 'x-a ': 'a', 'x-é': 'a', 'x-b': 'b' },
    { 'x-a': undefined, 'x-b': 'b' }],
  ['values with other characters', { 'x-a': 'a\nb', 'x-b': 'a\0b', 'x-c': ['a\r\nb'], 'x-d': '☃', 'x-e': 'e' },
    { 'x-a': undefined, 'x-b': undefined, 'x-c': undefined, 'x-d': undefined, 'x-e': 'e' }],
  ['no values', { 'x-a': undefined, 'x-b': null, 'x-c': [], 'x-d': 'd' },
    { 'x-a': undefined, 'x-b': undefined, 'x-c': undefined, 'x-d': 'd' }],
  ['a value that has no text', { 'x-a': Object.create(null), 'x-b': 'b' }, { 'x-a': undefined, 'x-b': 'b' }],
  ['nothing', null, {}]
]

for (const [version, { createServer, post }] of Object.entries(clients)) {
  describe(`problemDetails over ${version} sends the answer of an error whose headers have`, () => {
    let server
    let error

    before(async () => {
      const parser = json({ verify () { throw error } })
      const handle = problemDetails()
      server = createServer((req, res) => parser(req, res, (error) => handle(error, req, res, assert.fail)))
      await listen(server)
    })

    after(() => server.close())

    async function answerTo (fields) {
      error = Object.assign(new Error('no'), { status: 403, ...fields })
      return post(server.address().port)
    }

    for (const [what, headers, expected] of rows) {
      it(what, async () => {
        const { fields, text } = await answerTo({ headers })
        assert.deepEqual(JSON.parse(text), PROBLEM)
        assert.equal(fields['content-type'], 'application/problem+json')
        for (const [name, value] of Object.entries(expected)) assert.deepEqual(fields[name], value, name)
        const others = Object.keys(fields).filter((name) => !OWN.includes(name) && !name.startsWith('x-'))
        assert.deepEqual(others.filter((name) => !(name in expected)), [])
      })
    }

    it('several values of any field that Node knows', async () => {
      const names = Object.entries(http2.constants).filter(([name]) => name.startsWith('HTTP2_HEADER_'))
        .map(([, name]) => name)
      assert.ok(names.includes('age'))
      for (const name of names) {
        const { text } = await answerTo({ headers: { [name]: ['1', '2'] } })
        assert.deepEqual(JSON.parse(text), PROBLEM, name)
      }
    })
  })
}
