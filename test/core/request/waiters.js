'use strict'

// Express answers an error that nobody else answers at the end of the request (finalhandler). While code of the app
// holds the request back, that would not come.

const assert = require('node:assert/strict')
const http = require('node:http')
const express = require('express')
const { multipart, ndjson } = require('../../../')
const multer = require('../../../multer')
const serving = require('../../support/serving')
const { form } = require('../../support/upload')

const MEGABYTE = 2 ** 20
const never = () => new Promise(() => {})
const storage = { _handleFile () {}, _removeFile (req, file, callback) { callback(null) } }
const loopOver = (open) => async (req, res) => {
  for await (const item of await open(req, res)) await never(item)
}
const streaming = multipart({ store: 'stream' })

const upload = [form(['a', '1'], ['f', 'x'.repeat(3 * MEGABYTE), 'x', 'text/plain']), 'multipart/form-data; boundary=b']
const lines = ['{"a":1}\n'.repeat(MEGABYTE / 2), 'application/x-ndjson']

// [what holds the request back for ever, handlers, body and media type]
const rows = [
  ['a store', [multipart({ store: never })], upload],
  ['a filter', [multipart({ files: { f: { filter: never } } })], upload],
  ['detect', [multipart({ detect: never })], upload],
  ['an engine of the drop-in', [multer({ storage }).any()], upload],
  ["a loop over the files of store: 'stream'", [streaming, loopOver((req) => req.files)], upload],
  ["a handler that begins no loop over the files of store: 'stream'", [streaming, never], upload],
  ['a loop over parts', [loopOver((req, res) => multipart().parts(req, res))], upload],
  ['a loop over records', [loopOver(ndjson().read)], lines]
]

describe('an error of other code, which Express answers', () => {
  for (const [what, handlers, [body, type]] of rows) {
    it(`does not wait for ${what}`, async () => {
      const failLater = (req, res, next) => {
        setTimeout(next, 100, Object.assign(new Error('too late'), { status: 503 })) // as connect-timeout does
        next()
      }
      const app = express().set('env', 'test').post('/', failLater, ...handlers)
      const { status } = await serving(http.createServer(app), (port) => fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST', headers: { 'content-type': type }, body, signal: AbortSignal.timeout(5000)
      }))
      assert.equal(status, 503)
    })
  }
})
