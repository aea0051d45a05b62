'use strict'

// Requests that tests of apps, and wrappers such as @koa/multer, make of a stream: without a socket, and without a
// response. test/compat/bare-others.js has other shapes of them.

const assert = require('node:assert/strict')
const useFolder = require('../../support/folder')
const { describe: describeRequest } = require('../../support/multer-outcome')
const { field, file, form, ours, theirs } = require('../../support/multer-rows')
const { TYPE, nextOf, openRequest } = require('../../support/upload')

const BODY = Buffer.from(form(field('a'), file('x'), file('x', 'large', 'x'.repeat(200_000))))

/** @returns {Promise<unknown>} the error of `next`, once all is sent */
function send (middleware, req, res) {
  const called = nextOf(middleware, req, res)
  for (let at = 0; at < BODY.length; at += 16_384) req.push(BODY.subarray(at, at + 16_384))
  req.push(null)
  return called
}

describe('multer: a request that is a stream', () => {
  const folder = useFolder()

  it('gives what it gives with multer, without a response', async () => {
    for (const res of [null, {}]) {
      const [seen, expected] = await Promise.all([ours, theirs].map(async (multer) => {
        const req = openRequest()
        const error = await send(multer({ dest: folder.at() }).any(), req, res)
        return describeRequest(req, error ?? undefined, folder.at())
      }))
      assert.deepEqual(seen, expected)
      assert.deepEqual([seen.error, seen.files.length], [undefined, 2])
    }
  })

  it('may have blanks around its type, where multer fails', async () => {
    const req = openRequest({ 'content-type': ` ${TYPE} `, 'transfer-encoding': 'chunked' })
    assert.deepEqual([await send(ours().any(), req), req.body.a], [undefined, '1'])
  })

  it('has results that a wrapper can take from it', async () => {
    for (const multer of [ours, theirs]) {
      const req = openRequest()
      await send(multer().array('x'), req, null)
      assert.deepEqual([req.files.length, req.body.a], [2, '1'])
      for (const name of ['body', 'files']) assert.ok(delete req[name])
      assert.deepEqual([req.body, req.files], [undefined, undefined])
    }
  })

  it('that is destroyed in the middle is an error, and leaves no file', async () => {
    const req = openRequest()
    const called = nextOf(ours({ dest: folder.at() }).any(), req, null)
    req.push(BODY.subarray(0, 150_000))
    setImmediate(() => req.destroy(new Error('broken')))
    assert.deepEqual([(await called).message, folder.names()], ['broken', []])
  })
})
