'use strict'

// Storage engines by the way in which they read their file, which is all that
// those of other packages have in common.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { Writable, pipeline } = require('node:stream')
const { buffer } = require('node:stream/consumers')
const { both, agreed, field, file, form, ours, theirs } = require('../../support/multer-rows')
const { outcomeOf } = require('../../support/multer-outcome')

const LARGE = 'x'.repeat(300_000)
const PIECE = 64 * 1024
const WHOLE = form(field('a'), file('x', 'a', LARGE), file('y'), file('z', 'e', ''), field('b'))
const BEGUN = file('x') + file('y', 'a', LARGE)

const inPieces = (text) =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) => text.slice(i * PIECE, (i + 1) * PIECE))
const broken = () => new Writable({ write: (chunk, encoding, done) => done(new Error('T')) })

function create (file, folder) {
  return fs.createWriteStream(path.join(folder, file.fieldname))
}

function onFinish (target, done) {
  target.on('error', done).on('finish', () => done(null, { path: target.path, size: target.bytesWritten }))
}

/** Removes what it has written when it fails. */
function cleanUp (target, done) {
  return (error) =>
    error ? fs.unlink(target.path, () => done(error)) : done(null, { path: target.path, size: target.bytesWritten })
}

/** How -> `(file, done, folder)`, which reads the whole file. */
const readers = {
  'a pipe': (file, done, folder) => onFinish(file.stream.pipe(create(file, folder)), done),
  'a pipeline': (file, done, folder) => {
    const target = create(file, folder)
    pipeline(file.stream, target, cleanUp(target, done))
  },
  'a loop': async (file, done) => {
    let length = 0
    try {
      for await (const chunk of file.stream) length += chunk.length
      done(null, { length })
    } catch (error) {
      done(error)
    }
  },
  events: (file, done) => {
    let length = 0
    file.stream.on('data', (chunk) => { length += chunk.length }).on('end', () => done(null, { length }))
  }
}

/** How -> `(file, done, folder)`, which fails. */
const failing = {
  'before the end, and reads no more': (file, done) => file.stream.once('data', () => {
    file.stream.pause()
    done(new Error('E'))
  }),
  'some time after the end': (file, done) => file.stream.resume().on('end', () => setTimeout(done, 20, new Error('E'))),
  'by an error that destroys the stream': (file, done) =>
    file.stream.on('error', done).once('data', () => file.stream.destroy(new Error('D'))),
  'as the target does': (file, done) => file.stream.pipe(broken()).on('error', done)
}

const storage = (handle, folder) => ({
  _handleFile: (req, file, done) => handle(file, done, folder),
  _removeFile: (req, file, done) => file.path ? fs.unlink(file.path, done) : done(null)
})
const any = (handle, options) => (multer, folder) => multer({ ...options, storage: storage(handle, folder) }).any()
const shown = ({ error, left, calls }) => [error?.message, left, calls]

describe('multer: an engine that reads by', () => {
  for (const [how, read] of Object.entries(readers)) {
    it(`${how} stores what it does with multer`, async () => {
      const { files, error } = await agreed({ body: inPieces(WHOLE), make: any(read) })
      assert.equal(error, undefined)
      assert.equal(files.length, 3)
    })

    it(`${how} leaves nothing of a form without an end, of a file over a limit, or of a client that leaves`, async () => {
      const rows = [
        ['Unexpected end of form', {}],
        ['File too large', { limits: { fileSize: 100_000 } }],
        ['Request aborted', {}, { cut: true }]
      ]
      for (const [message, options, more] of rows) {
        const seen = await outcomeOf(ours, { body: inPieces(BEGUN), make: any(read, options), ...more })
        assert.deepEqual(shown(seen), [message, 0, 1])
      }
    })
  }
})

describe('multer: an engine that fails', () => {
  for (const [how, fail] of Object.entries(failing)) {
    it(`${how} fails with the same error`, async () => {
      const outcomes = await both({ body: inPieces(form(file('x', 'a', LARGE))), make: any(fail) })
      const [[ourError, ...seen], [theirError]] = outcomes.map(shown)
      assert.match(ourError, /^[EDT]$/)
      assert.equal(ourError, theirError)
      assert.deepEqual(seen, [0, 1])
    })
  }
})

describe('multer: an engine that reads a part of its file', () => {
  const body = inPieces(form(field('a'), file('x', 'a', LARGE), file('y'), field('b')))
  const names = ({ files, hangs, error }) => files?.map(({ isSeen }) => isSeen) ?? error ?? hangs

  it('and destroys the stream has stored it, where multer hangs', async () => {
    const make = any((file, done) => file.stream.once('data', () => {
      file.stream.destroy()
      done(null, { isSeen: true })
    }))
    assert.deepEqual(names(await outcomeOf(ours, { body, make })), [true, true])
    assert.deepEqual(names(await outcomeOf(theirs, { body, make, patience: 500 })), true)
  })

  it('by a loop that it leaves has stored it, where multer fails with an AbortError', async () => {
    const make = any(async (file, done) => {
      for await (const chunk of file.stream) if (chunk.length > 0) break
      done(null, { isSeen: true })
    })
    const [seen, expected] = await both({ body, make })
    assert.deepEqual([names(seen), expected.error.name], [[true, true], 'AbortError'])
  })
})

describe('multer: an engine that never calls back', () => {
  it('waits for the client, or for a timeout, as with multer', async () => {
    const acts = {
      'does not read': (file, done) => { file.stream.on('end', () => done(null, {})) },
      'resolves instead': async (file) => ({ length: (await buffer(file.stream)).length }),
      'destroys the stream': (file) => { file.stream.destroy() }
    }
    await Promise.all(Object.values(acts).map(async (act) => {
      const outcomes = await both({ body: form(file('x')), make: any(act), patience: 300 })
      assert.deepEqual(outcomes.map(({ hangs }) => hangs), [true, true])
    }))
  })
})
