'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Readable } = require('node:stream')
const { text } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../../../')
const { split } = require('../../../tools/http-message')
const Clock = require('../../support/clock')
const countAlive = require('../../support/count-alive')
const transferAll = require('../../support/transfer')
const { form, upload } = require('../../support/upload')

const MEGABYTE = 2 ** 20
const big = Buffer.alloc(MEGABYTE, 'abcdefg')

describe('a store of the app', () => {
  it('leaves nothing of the streams that it has read before, however many files a form has', async () => {
    const streams = []
    let alive
    const store = async (file) => {
      streams.push(new WeakRef(file))
      await text(file)
      if (streams.length === 50) alive = await countAlive(streams)
    }
    const { error } = await upload(multipart({ files: { '*': { max: 50 } }, store }),
      form(...Array(50).fill(['f', 'one', 'x'])))
    assert.equal(error, undefined)
    assert.ok(alive < 10, `${alive} streams`)
  })

  it('gets each file as a stream, the fields before it, and a signal', async () => {
    const calls = []
    const store = async (file, { fields, signal }) => {
      calls.push([file.field, file.name, file.folder, file.type, { ...fields }, signal.aborted])
      return text(file)
    }
    const seen = await upload(multipart({ store }),
      form(['a', '1'], ['f', 'one', '/b/c/x', 'a/b'], ['a', '2'], ['g', '', 'y']))
    assert.deepEqual(calls,
      [['f', 'x', 'b/c', 'a/b', { a: '1' }, false], ['g', 'y', '', 'text/plain', { a: ['1', '2'] }, false]])
    assert.deepEqual([seen.body, { ...seen.files }], [{ a: ['1', '2'] }, {
      f: [{ field: 'f', name: 'x', folder: 'b/c', type: 'a/b', size: 3, value: 'one' }],
      g: [{ field: 'g', name: 'y', folder: '', type: 'text/plain', size: 0, value: '' }]
    }])
  })

  it('may send chunks to a worker with their memory', async () => {
    const store = async (file) => (await transferAll(file)).length
    const body = form(['a', '1'], ['f', big, 'x'], ['b', '2'], ['g', big.subarray(0, 5000), 'y'], ['c', '3'])
    for (const size of [20_001, body.length]) {
      const pieces = split(body, Math.ceil(body.length / size))
      const parser = multipart({ files: { '*': { max: 2, size: '2mb' } }, store })
      const { error, body: fields, files } = await upload(parser, pieces)
      assert.equal(error, undefined)
      assert.deepEqual(fields, { a: '1', b: '2', c: '3' })
      assert.deepEqual([files.f[0].value, files.g[0].value], [MEGABYTE, 5000])
    }
  })

  // [what, store, values]
  const stores = [
    ['returns no promise', (file) => { file.resume(); return 1 }, [1, 1]],
    ['reads nothing', async () => 'x', ['x', 'x']],
    ['reads by hand, and stops', async (file) => { await once(file, 'readable'); return file.read(1).length }, [1, 1]],
    ['destroys the stream with an error, without a listener', (file) => delay(5, file.destroy(new Error('no')).name),
      ['x', 'y']],
    ['is slow', async (file) => {
      let bytes = 0
      for await (const chunk of file) bytes += await delay(1, chunk.length)
      return bytes
    }, [MEGABYTE, 1]]
  ]
  for (const [what, act, values] of stores) {
    it(`is a function that ${what}`, async () => {
      const seen = await upload(multipart({ limit: '8mb', store: act, timeout: 10_000 }),
        form(['f', big, 'x'], ['f', '1', 'y']))
      assert.deepEqual([seen.error, seen.files.f.map(({ value }) => value), seen.files.f.map(({ size }) => size)],
        [undefined, values, [MEGABYTE, 1]])
    })
  }

  it('delays `next` until its stream is read', async () => {
    const seen = []
    const store = (file) => { text(file).then(({ length }) => seen.push(length)) }
    await upload(multipart({ limit: '8mb', store }), form(['f', big, 'x'], ['f', '1', 'y']),
      { handle: () => seen.push('next') })
    assert.deepEqual(seen, [MEGABYTE, 1, 'next'])
  })

  it('may have paused its stream when it returns', async () => {
    const seen = []
    const store = (file) => {
      file.on('data', () => seen.push('data')).pause()
      setTimeout(() => {
        seen.push('resume')
        file.resume()
      }, 10)
    }
    await upload(multipart({ store }), form(['f', '1', 'x']), { handle: () => seen.push('next') })
    assert.deepEqual(seen, ['resume', 'data', 'next'])
  })

  const full = () => Object.assign(new Error('full'), { status: 507 })
  // [what, store, whether its file is destroyed]
  const failing = [
    ['throws', () => { throw full() }, false],
    ['rejects within the file', async (file) => { await once(file, 'data'); throw full() }, true]
  ]
  for (const [what, store, isDestroyed] of failing) {
    it(`keeps the status of the error if it ${what}`, async () => {
      let file
      const keep = (stream, ...more) => {
        file = stream
        return store(stream, ...more)
      }
      const seen = await upload(multipart({ limit: '8mb', store: keep }), form(['f', big, 'x']))
      assert.deepEqual([seen.error.message, seen.error.status, seen.calls, file.destroyed],
        ['full', 507, 1, isDestroyed])
    })
  }

  it('fails with a 500 if it rejects with nothing', async () => {
    // eslint-disable-next-line prefer-promise-reject-errors
    const seen = await upload(multipart({ store: () => Promise.reject() }), form(['f', '1', 'x']))
    assert.equal(seen.error.status, 500)
  })

  // [what, body, message, error]
  const ends = [
    ['a client that leaves', form(['f', big, 'x']).subarray(0, MEGABYTE / 2), { cut: true }, 'request.aborted'],
    ['a limit', form(['f', big, 'x'], ['f', '1', 'y'], ['f', '2', 'z']), {}, 'multipart.files.too.many']
  ]
  for (const [what, body, message, type] of ends) {
    it(`learns of ${what} from the signal and the stream, and delays next`, async () => {
      const notes = []
      const store = async (file, { signal }) => {
        signal.addEventListener('abort', () => notes.push(`signal ${signal.reason.type}`))
        try {
          return await text(file)
        } catch (error) {
          notes.push(`stream ${error.type}`)
          await delay(10)
          notes.push('cleaned')
          throw error
        }
      }
      const parser = multipart({ limit: '8mb', files: { f: { max: 2 } }, store })
      const seen = await upload(parser, body, { ...message, handle: () => notes.push('next') })
      assert.equal(seen.error.type, type)
      // The files before the one too many were complete.
      if (type === 'multipart.files.too.many') assert.deepEqual(notes, [`signal ${type}`, `signal ${type}`, 'next'])
      else assert.deepEqual(notes, [`signal ${type}`, `stream ${type}`, 'cleaned', 'next'])
    })
  }

  it('delays `next` by 5 seconds at most after an error', async () => {
    const clock = new Clock()
    // Node.js destroys a stream that was read to its end.
    const store = (file, { signal }) =>
      new Promise(() => signal.addEventListener('abort', () => setImmediate(() => file.resume())))
    const parser = clock.load(() => require('../../../').multipart({ files: { f: { size: 1 } }, store }))
    const ended = upload(parser, form(['f', '12', 'x']))
    while (clock.waits.length === 0) await delay(1)
    assert.deepEqual(clock.waits, [5000])
    const { error } = await clock.passUntil(ended)
    assert.equal(error.type, 'multipart.file.too.large')
  })

  it('is called for no further file once it has failed the form at the end of one', async () => {
    const body = form(['f', 'one', 'a'], ['g', 'two', 'b'])
    const rest = body.subarray(body.indexOf('one') + 3)
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(body.length) }
    const req = Object.assign(new Readable({ read () {} }), { headers })
    const names = []
    const store = (file) => {
      names.push(file.name)
      file.on('error', () => {}).on('readable', () => {
        if (file.read() === null) return req.emit('aborted')
        file.read() // asks for more
        req.push(rest)
      })
    }
    const failed = new Promise((resolve) => multipart({ store })(req, {}, resolve))
    req.push(body.subarray(0, -rest.length))
    assert.equal((await failed).type, 'request.aborted')
    assert.deepEqual(names, ['a'])
  })
})
