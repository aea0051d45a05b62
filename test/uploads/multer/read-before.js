'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { buffer } = require('node:stream/consumers')
const express = require('express')
const { createBudget, multipart } = require('../../../')
const { BYTES, field, file, form, ours } = require('../../support/multer-rows')
const { outcomeOf } = require('../../support/multer-outcome')
const { TYPE, nextOf } = require('../../support/upload')

const BODY = Buffer.from(form(field('a'), file('x', 'a.bin', BYTES)), 'latin1')
const STORED = `<bytes> ${BYTES}`
const FALLBACK =
  /^The request was read before, and neither req\.rawBody nor req\.body has its content: call multer before /
const PARSED = /^The request was read before, and other code has parsed it: use one upload middleware for a request/
const contentIn = (name) =>
  new RegExp(`^The request was read before, and req\\.${name} has its content: multer\\(\\{ buffered: true`)

/** Reads the request, and puts on it what `leave` makes of its bytes. */
const reading = (leave) => async (req, res, next) => {
  Object.assign(req, leave(await buffer(req)))
  next()
}

/** A middleware that runs others, one after the other. */
const chain = (...middleware) => (req, res, next) => middleware.reduceRight(
  (rest, act) => (error) => error ? next(error) : act(req, res, rest),
  next
)()

const behind = (first, options) => (multer) =>
  chain(typeof first === 'function' ? first : first.make(multer), multer(options).any())
const ask = (first, options, body = BODY) => outcomeOf(ours, { make: behind(first, options), body })

/** What has read it -> the message, and what is left on the request. */
const ROWS = {
  'that is in req.rawBody': [reading((rawBody) => ({ rawBody })), contentIn('rawBody')],
  'that is in req.rawBody as another array of bytes': [
    reading((bytes) => ({ rawBody: new Uint8Array(bytes), body: {} })), contentIn('rawBody')
  ],
  'that express.raw has read': [express.raw({ type: '*/*' }), contentIn('body')],
  'that express.text has read': [express.text({ type: '*/*' }), contentIn('body'), form(field('a'))]
}

describe('multer: a request that was read before', () => {
  for (const [what, [first, message, body = BODY]] of Object.entries(ROWS)) {
    it(`${what} is a 500 that says so, and is parsed with buffered`, async () => {
      const { error, status } = await ask(first, {}, body)
      assert.match(error.message, message)
      assert.equal(status, 500)
      const seen = await ask(first, { buffered: true }, body)
      assert.deepEqual([seen.error, seen.body], [undefined, { '<null>': true, a: '1' }])
      assert.deepEqual(seen.files.map((stored) => stored.buffer), body === BODY ? [STORED] : [])
    })
  }

  const LOST = {
    'of which nothing is left': [reading(() => ({})), FALLBACK],
    'of which a body without anything is left': [reading(() => ({ body: {} })), FALLBACK],
    'that another parser has parsed, with fields alone': [multipart(), PARSED, form(field('a'))],
    'that another parser has parsed, with files alone': [multipart(), PARSED, form(file('x'))],
    'that an upload middleware has parsed, with a file alone': [
      { make: (multer) => multer().single('x') }, PARSED, form(file('x'))
    ]
  }

  for (const [what, [first, message, body]] of Object.entries(LOST)) {
    it(`${what} is a 500 that says what to do, with buffered as well`, async () => {
      for (const options of [{}, { buffered: true }]) {
        const { error, status } = await ask(first, options, body)
        assert.match(error.message, message)
        assert.equal(status, 500)
      }
    })
  }

  it('fails with the type of such an error, and keeps what is on it', async () => {
    const req = { headers: { 'content-type': TYPE, 'content-length': 9 }, rawBody: BODY, body: { kept: true } }
    const { type, status, storageErrors } = await nextOf(ours().any(), req)
    assert.deepEqual([type, status, storageErrors], ['stream.not.readable', 500, []])
    assert.deepEqual([req.body, 'files' in req], [{ kept: true }, false])
  })
})

describe('multer: buffered', () => {
  const leaving = reading((rawBody) => ({ rawBody }))
  const buffered = { buffered: true }

  it('parses a form once', async () => {
    const seen = await outcomeOf(ours, {
      make: (multer) => chain(leaving, multer(buffered).any(), multer(buffered).none()),
      body: BODY
    })
    assert.deepEqual([seen.error, seen.files.length], [undefined, 1])
  })

  it('leaves what is not a form to others', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const seen = await outcomeOf(ours, { make: behind(leaving, buffered), body: '{}', headers })
    assert.deepEqual(Object.keys(seen), ['calls', 'body', 'left'])
  })

  it('holds forms to their limits, and removes the files of one that fails', async () => {
    const rows = [
      [{ limits: { fileSize: 1 } }, BODY, 'LIMIT_FILE_SIZE', 413],
      [{ limits: { total: 10 } }, BODY, 'LIMIT_TOTAL_SIZE', 413],
      [{}, BODY.subarray(0, -9), undefined, 400]
    ]
    for (const [options, sent, code, status] of rows) {
      const make = (multer, dest) => behind(leaving, { ...options, ...buffered, dest })(multer)
      const seen = await outcomeOf(ours, { make, body: sent })
      assert.deepEqual([seen.error.code, seen.status, seen.left], [code, status, 0])
    }
  })

  it('waits for engines and filters, and tells them when the client leaves', async () => {
    const storage = {
      _handleFile: (req, { stream }, done) =>
        stream.resume().on('end', () => setImmediate(done, null, { isStored: true })),
      _removeFile: (req, file, done) => done()
    }
    const fileFilter = (req, file, done) => setImmediate(done, null, true)
    const seen = await ask(leaving, { ...buffered, storage, fileFilter, budget: createBudget({ bytes: 1000 }) })
    assert.deepEqual([seen.error, seen.files[0].isStored], [undefined, true])
    const waiting = (req, file, done) => req.socket.destroy()
    const { error } = await ask(leaving, { ...buffered, fileFilter: waiting })
    assert.equal(error.message, 'Request aborted')
  })

  it('takes requests that never were streams', async () => {
    const headers = { 'content-type': TYPE, 'content-length': BODY.length }
    const req = { headers, body: BODY }
    assert.match((await nextOf(ours().any(), req)).message, contentIn('body'))
    assert.equal(await nextOf(ours(buffered).any(), req), undefined)
    assert.equal(req.files[0].buffer.toString('latin1'), BYTES)
    const empty = { headers }
    assert.deepEqual([await nextOf(ours(buffered).any(), empty), empty], [undefined, { headers, body: undefined }])
  })

  it('takes a request that was destroyed for one that ends early', async () => {
    const req = new PassThrough().on('error', () => {})
    Object.assign(req, { headers: { 'content-type': TYPE, 'content-length': 9 } }).destroy()
    const error = await nextOf(ours().any(), req)
    assert.deepEqual([error.message, error.status], ['Request aborted', 400])
  })
})
