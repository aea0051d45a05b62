'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../../../')
const FileStream = require('../../../lib/uploads/storage/file-stream')
const { createOpenFile } = require('../../../lib/uploads/storage/open-file')
const openForm = require('../../../lib/uploads/form/form')
const { readOptions } = require('../../../lib/options/read-options')
const useFolder = require('../../support/folder')
const useReplacements = require('../../support/replace')

const HEAD = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'

const HOST = {
  call: (act, ...args) => act(...args),
  contextOf: () => ({}),
  abort () {},
  openFile: createOpenFile(FileStream),
  decoderOf: () => null
}
const TYPE = 'multipart/form-data; boundary=b'

function createForm (options) {
  let settle
  const settled = new Promise((resolve) => { settle = resolve })
  const ready = []
  const form = openForm(readOptions('multipart', options), HOST, TYPE, {
    resume: () => ready.push(form.bufferedBytes),
    end: () => settle(null),
    fail: settle
  })
  return { form, settled, ready }
}

describe('a form', () => {
  for (const isEndedWithin of [false, true]) {
    it(`accepts chunks${isEndedWithin ? ' and the end' : ''} while it scans another one, as a store may read on`, async () => {
      let text = ''
      const late = ['sition: form-data; name="t"\r\n\r\nmore', '\r\n--b--']
      const store = (file) => new Promise((resolve) => {
        file.on('data', (chunk) => {
          text += chunk
          for (const piece of late.splice(0)) form.write(Buffer.from(piece))
          if (isEndedWithin) form.end()
        })
        file.on('end', resolve)
      })
      const { form, settled } = createForm({ store })
      form.write(Buffer.from(HEAD))
      await delay(5)
      form.write(Buffer.from('some\r\n--b\r\nContent-Dispo'))
      if (!isEndedWithin) form.end()
      assert.equal(await settled, null)
      assert.deepEqual([text, form.form.fields.t], ['some', 'more'])
    })
  }

  it('awaits nothing of the app once it has failed within the call', async () => {
    const seen = []
    const host = { ...HOST, call: () => form.fail(new Error('no')) }
    const feed = { resume: () => seen.push('ready'), fail: ({ message }) => seen.push(message) }
    const form = openForm(readOptions('multipart', { files: { f: { filter: () => true } } }), host, TYPE, feed)
    form.write(Buffer.from(`${HEAD}1`))
    await delay(5)
    assert.deepEqual([seen, form.state], [['no'], 'failed'])
  })
})

describe('the memory of a form', () => {
  const KIB = 1024
  function header (name, filename) {
    const parameters = filename === undefined ? '' : `; filename="${filename}"`
    return Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n\r\n`)
  }
  const lineEnd = Buffer.from('\r\n')

  it('is that of all fields, of files in memory, and of bytes that are not scanned', () => {
    const { form, ready } = createForm({ fields: { size: '1mb' } })
    const seen = []
    for (const piece of [
      header('a'), Buffer.alloc(10), lineEnd, header('b'), Buffer.alloc(20), lineEnd, header('c', 'x'),
      Buffer.alloc(30), lineEnd, header('d', 'y'), Buffer.alloc(5)
    ]) {
      form.write(piece)
      seen.push(form.bufferedBytes)
    }
    assert.deepEqual(seen, [0, 10, 12, 10, 30, 32, 30, 60, 62, 60, 65])
    form.write(Buffer.from('\r'))
    assert.deepEqual([form.bufferedBytes, ready], [66, []])
  })

  it('is not that of a large chunk in which a field has begun', () => {
    const { form } = createForm()
    form.write(Buffer.concat([header('z'), Buffer.from('0')]))
    const chunk = Buffer.concat([
      lineEnd, header('a'), Buffer.alloc(60 * KIB, 'x'), lineEnd, header('b'), Buffer.from('1')
    ])
    form.write(chunk)
    assert.equal(form.part.text((bytes) => bytes.buffer === chunk.buffer), false)
    for (const piece of [
      Buffer.from('2'),
      Buffer.alloc(60 * KIB, '3'),
      Buffer.concat([lineEnd, header('c'), lineEnd, header('d')])
    ]) {
      form.write(piece)
    }
    assert.deepEqual({ ...form.form.fields },
      { z: '0', a: 'x'.repeat(60 * KIB), b: `12${'3'.repeat(60 * KIB)}`, c: '' })
  })

  it('is bounded with a store that is slow with each of several files', async () => {
    const stored = []
    const store = (file) => new Promise((resolve) => stored.push(() => resolve(file.resume())))
    const { form, ready } = createForm({ store })
    form.write(Buffer.concat(['x', 'y', 'z'].flatMap((name) => [header('f', name), Buffer.from('1'), lineEnd])))
    stored[0]()
    await delay(5)
    assert.deepEqual([stored.length, form.isBlocked, ready.length], [2, true, 0])
    stored[1]()
    await delay(5)
    assert.deepEqual([stored.length, form.isBlocked, ready.length], [3, false, 1])
  })

  it('is bounded with a store that does not read', async () => {
    let stream
    const { form, ready } = createForm({ store: (file) => { stream = file; return new Promise(() => {}) } })
    form.write(header('f', 'x'))
    const seen = []
    for (const size of [256 * KIB - 1, 1]) {
      form.write(Buffer.alloc(size))
      seen.push([form.isBlocked, form.bufferedBytes])
    }
    assert.deepEqual(seen, [[false, 256 * KIB - 1], [true, 256 * KIB]])
    while (stream.read() !== null); // Node 26 gives a chunk at a time
    await delay(1)
    assert.deepEqual([form.isBlocked, form.bufferedBytes, ready.length], [false, 0, 1])
    form.write(Buffer.alloc(64 * KIB)) // the stream has asked for it
    form.write(Buffer.alloc(256 * KIB))
    assert.deepEqual([form.isBlocked, form.bufferedBytes], [true, 320 * KIB])
    stream.destroy() // the rest is discarded
    await delay(1)
    form.write(Buffer.alloc(64 * KIB))
    assert.deepEqual([form.isBlocked, form.bufferedBytes, ready.length], [false, 0, 2])
  })

  describe('with a slow disk', () => {
    const folder = useFolder()
    const replace = useReplacements()
    let calls

    beforeEach(() => {
      calls = []
      replace(fs, 'writev', (fd, pieces, done) => calls.push({ length: Buffer.concat(pieces).length, done }))
    })

    it('is bounded, as the form is blocked from 128 KiB on that wait to be written', async () => {
      const { form, ready, settled } = createForm({ limit: '4mb', store: multipart.disk(folder.at()) })
      form.write(header('f', 'x'))
      while (form.part.stored.isBusy) await delay(1) // being opened
      const seen = []
      for (const size of [128 * KIB - 1, 1, 128 * KIB - 1, 1]) {
        form.write(Buffer.alloc(size))
        seen.push([form.isBlocked, form.bufferedBytes / KIB, calls.length])
      }
      assert.deepEqual(seen, [[false, 128 - 1 / KIB, 0], [false, 128, 1], [false, 256 - 1 / KIB, 1], [true, 256, 1]])
      calls[0].done(null, 128 * KIB)
      await delay(1)
      assert.deepEqual([form.isBlocked, form.bufferedBytes / KIB, ready, calls.map(({ length }) => length / KIB)],
        [false, 128, [128 * KIB], [128, 128]])
      form.write(Buffer.from('rest\r\n--b--'))
      form.end()
      for (const { length, done } of calls.slice(1)) done(null, length)
      while (calls.length < 3) await delay(1)
      calls[2].done(null, 4)
      assert.equal(await settled, null)
      assert.deepEqual([form.bufferedBytes, form.form.files.f[0].size], [0, 256 * KIB + 4])
    })

    it('is freed once after an error, when the writing and the closing are over', async () => {
      const { close } = fs
      let closing
      replace(fs, 'close', (fd, done) => { closing = () => close(fd, done) })
      for (const isWritten of [false, true]) {
        const { form } = createForm({ store: multipart.disk(folder.at()) })
        form.write(Buffer.concat([header('f', 'x'), Buffer.from('1\r\n--b--')]))
        form.end()
        while (calls.length === 0) await delay(1)
        const [{ done }] = calls.splice(0)
        if (isWritten) done(null, 1)
        let released = 0
        form.stop(new Error('no'), () => released++)
        await delay(5)
        assert.equal(released, 0)
        if (!isWritten) done(null, 1)
        closing()
        await folder.emptied()
        await delay(5)
        assert.deepEqual([released, folder.names()], [1, []])
      }
    })

    it('is blocked by bytes behind a file that is not yet written, and not by its end alone', async () => {
      const { form, ready, settled } = createForm({ store: multipart.disk(folder.at()) })
      form.write(Buffer.concat([header('f', 'x'), Buffer.from('1')]))
      form.write(Buffer.concat([lineEnd, Buffer.from('--b\r\n')]))
      assert.equal(form.isBlocked, true) // until the file is there
      while (calls.length === 0) await delay(1)
      assert.deepEqual([form.isBlocked, ready.length], [true, 0])
      calls[0].done(null, 1)
      while (ready.length === 0) await delay(1)
      assert.equal(form.isBlocked, false)
      form.write(Buffer.from('Content-Disposition: form-data; name="g"; filename="y"\r\n\r\n2\r\n--b--'))
      assert.equal(form.isBlocked, false)
      form.end()
      while (calls.length < 2) await delay(1)
      calls[1].done(null, 1)
      assert.equal(await settled, null)
      assert.deepEqual(Object.values(form.form.files).map(([{ field, size }]) => [field, size]), [['f', 1], ['g', 1]])
    })
  })
})
