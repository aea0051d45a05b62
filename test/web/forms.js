'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { pathToFileURL } = require('node:url')
const { multipart } = require('fast-body-parser/web')
const { listen, stop } = require('../../tools/local-server')
const { split } = require('../../tools/http-message')
const Clock = require('../support/clock')
const useFolder = require('../support/folder')
const { collect } = require('../support/loop')
const schemaOf = require('../support/schema-of')
const until = require('../support/until')
const { form } = require('../support/upload')
const { post: postBody, streamOf } = require('../support/web-request')
const { builtins, disposing } = require('../support/where')

const TYPE = 'multipart/form-data; boundary=b'
const big = Buffer.alloc(2 ** 20, 'x')
const SCHEMA = schemaOf(({ a }) => a === '1' ? { value: { a: 1 } } : { issues: [{ message: 'no' }] })

/** @param {Buffer | Buffer[]} body in one piece, or in several that come one by one */
function post (body, { type = TYPE, signal, asked = [] } = {}) {
  const pieces = [body].flat()
  const stream = new ReadableStream({
    pull (controller) {
      asked.push(pieces.length)
      if (pieces.length === 0) controller.close()
      else controller.enqueue(new Uint8Array(pieces.shift()))
    }
  }, { highWaterMark: 0 })
  return requestOf(stream, type, signal)
}

function requestOf (body, type = TYPE, signal = undefined) {
  return postBody(body, { 'content-type': type }, { signal })
}

/** A request whose body begins with this, and has no end. */
const unending = (bytes, signal) => requestOf(streamOf([new Uint8Array(bytes)], { isOpen: true }), TYPE, signal)

async function lengthOf (file) {
  let length = 0
  for await (const chunk of file.stream) length += chunk.length
  return length
}

describe('multipart of fast-body-parser/web', () => {
  const folder = useFolder()

  it('discards the files that no loop has begun to read once a server of Node.js has answered', async () => {
    const readForm = multipart({ store: 'stream', limit: '8mb' })
    let outcome
    const server = http.createServer(async (req, res) => {
      const request = requestOf(Readable.toWeb(req), req.headers['content-type'])
      request.runtime = { node: { req } } // as srvx does
      const { fields, files } = await readForm(request)
      res.end(JSON.stringify(fields))
      await once(res, 'finish')
      outcome = files[Symbol.asyncIterator]().next()
    })
    const port = await listen(server)
    const body = form(['a', '1'], ['f', big, 'x'])
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: { 'content-type': TYPE } })
    assert.deepEqual(await response.json(), { a: '1' })
    await until(() => outcome !== undefined)
    await assert.rejects(outcome, { type: 'multipart.abandoned' })
    stop(server)
  })

  it('discards the files that no loop has read when the form is disposed of, or the loop is ended', async () => {
    for (const name of ['dispose', 'return']) {
      const asked = []
      const body = post(split(form(['f', big, 'x']), 20), { asked })
      const { dispose, files } = await multipart({ store: 'stream', limit: '8mb' })(body)
      const loop = files[Symbol.asyncIterator]()
      await (name === 'dispose' ? dispose() : loop.return())
      await until(() => asked.at(-1) === 0) // the rest is read off
      if (name === 'dispose') await assert.rejects(loop.next(), { type: 'multipart.abandoned' })
    }
  })

  it('rejects with the error of a form that fails before its first file', () =>
    assert.rejects(multipart({ store: 'stream' })(post(form(['a', '1']).subarray(0, -9))),
      { status: 400, type: 'multipart.unterminated' }))

  it('nests names with extended, and gives fields once before a loop over the files that come with them', async () => {
    const body = () => post(form(['a[b]', '1'], ['f', big, 'x']))
    const nested = { a: { b: '1' } }
    const { fields } = await multipart({ extended: true, limit: '4mb' })(body())
    const streamed = await multipart({ extended: true, limit: '4mb', store: 'stream' })(body())
    assert.deepEqual([fields, streamed.fields], [nested, nested])
    const sizes = []
    for await (const file of streamed.files) sizes.push(await lengthOf(file))
    assert.deepEqual(sizes, [big.length])
  })

  it('gives an empty loop beside what a schema makes of no form', async () => {
    const schema = schemaOf(() => ({ value: { a: 1 } }))
    const { fields, files } = await multipart({ store: 'stream', schema })(new Request('http://localhost/'))
    assert.deepEqual([fields, await files[Symbol.asyncIterator]().next()], [{ a: 1 }, { done: true, value: undefined }])
  })

  it('gives fields, and files in memory, which a File can be made of', async () => {
    const { fields, files } = await multipart()(post(form(['a', '1'], ['a', '2'],
      ['f', 'one', 'c/x.txt', 'image/png'])))
    const { bytes, toFile, ...file } = files.f[0]
    assert.deepEqual([fields, file],
      [{ a: ['1', '2'] }, { field: 'f', name: 'x.txt', folder: 'c', type: 'image/png', size: 3 }])
    assert.deepEqual([Object.getPrototypeOf(bytes), Array.from(bytes)], [Uint8Array.prototype, [111, 110, 101]])
    const copy = toFile()
    assert.deepEqual([copy instanceof File, copy.name, copy.type, await copy.text()],
      [true, 'x.txt', 'image/png', 'one'])
  })

  it('gives all bytes in memory of their own, where no other request has any', async () => {
    const body = () => post(form(['a', '1'], ['f', 'one', 'x.txt'], ['g', big, 'y'])) // Node.js pools small ones
    const given = []
    const { files } = await multipart({ files: { '*': { max: 2, size: '2mb' } } })(body())
    for (const [{ bytes }] of [files.f, files.g]) given.push(bytes)
    for await (const part of multipart({ files: { '*': { max: 2, size: '2mb' } } }).parts(body())) {
      if (part.stream === undefined) given.push(part.bytes)
      else for await (const chunk of part) given.push(chunk)
    }
    assert.deepEqual(given.map(({ buffer }) => buffer.byteLength), given.map(({ length }) => length))
  })

  it('reads what formData() of a Request is made of', async () => {
    const data = new FormData()
    data.append('é', '\r\n"')
    data.append('f', new File([big], 'ü.bin'))
    const { fields, files } = await multipart({
      limit: '4mb'
    })(new Request('http://localhost/', { method: 'POST', body: data }))
    assert.deepEqual([fields, files.f[0].name, files.f[0].size, Buffer.compare(files.f[0].bytes, big)],
      [{ é: '\r\n"' }, 'ü.bin', 2 ** 20, 0])
  })

  builtins.it('has the charsets and the hashes of the runtime', async () => {
    const fields = form(['a', Buffer.of(0x82, 0xA0)], ['f', 'one', 'x'])
    const result = await multipart({ defaultCharset: 'shift_jis', digest: 'sha1' })(post(fields))
    assert.deepEqual([result.fields.a, result.files.f[0].digest], ['あ', 'fe05bcdcdc4928012781a5f1a2a77cbb5398e106'])
    for (const options of [{ defaultCharset: 'bogus' }, { digest: 'bogus' }]) {
      assert.throws(() => multipart(options), { name: 'TypeError', message: /^option (defaultCharset|digest) / })
    }
  })

  it('gives undefined without content, and for another media type; with a schema, that is a 415', async () => {
    const json = () => post(Buffer.from('{}'), { type: 'application/json' })
    const empty = new Request('http://localhost/', { method: 'POST', headers: { 'content-type': TYPE } })
    assert.deepEqual([await multipart()(json()), await multipart()(empty)], [undefined, undefined])
    await assert.rejects(multipart({ schema: SCHEMA })(json()), { status: 415, type: 'media.type.unsupported' })
    await assert.rejects(multipart()({}), {
      name: 'TypeError',
      message: 'multipart takes a Request of the web, such as c.req.raw of Hono'
    })
  })

  it('refuses a body that is not a form where a file is required: alone, with a schema, part by part', async () => {
    const photo = { files: { photo: { min: 1 } } }
    const json = { headers: { 'content-type': 'application/json' }, body: '{}' }
    const requestOf = (method, init) => new Request('http://localhost/', { method, ...init })
    for (const [init, error] of [
      [json, { status: 415, type: 'media.type.unsupported' }],
      [{}, { status: 400, type: 'multipart.files.too.few', limit: 1, field: 'photo' }]
    ]) {
      const schema = schemaOf(() => ({ value: {} }))
      await assert.rejects(multipart(photo)(requestOf('POST', init)), error)
      await assert.rejects(multipart({ ...photo, schema })(requestOf('PATCH', init)), error)
      await assert.rejects(multipart(photo).parts(requestOf('POST', init)).next(), error)
    }
    assert.equal(await multipart(photo)(requestOf('DELETE', json)), undefined)
  })

  it('takes a body of another type that is empty for none', async () => {
    const filling = multipart({ schema: schemaOf(() => ({ value: { a: 'none' } })) })
    const type = { 'content-type': 'application/json' }
    const declared = () =>
      new Request('http://localhost/', { method: 'POST', headers: { ...type, 'content-length': '0' } })
    const undeclared = () => post([], { type: 'application/json' })
    for (const request of [declared, undeclared]) {
      assert.deepEqual((await filling(request())).fields, { a: 'none' })
      assert.deepEqual(await multipart().parts(request()).next(), { done: true, value: undefined })
    }
  })

  it('lets a schema decide about a request without a form', async () => {
    const refusing = schemaOf(() => ({ issues: [{ message: 'required' }] }))
    const optional = schemaOf((value) => ({ value }))
    const filling = schemaOf((value) => ({ value: value ?? { a: 'none' } }))
    const read = post(Buffer.from('{}'), { type: 'application/json' })
    await read.text()
    for (const request of [new Request('http://localhost/', { method: 'POST' }), read]) {
      await assert.rejects(multipart({ schema: refusing })(request), { status: 422, type: 'entity.invalid' })
      assert.equal(await multipart({ schema: optional })(request), undefined)
      const { dispose, ...form } = await multipart({ schema: filling })(request)
      await dispose()
      assert.deepEqual(form, { fields: { a: 'none' }, files: Object.create(null) })
    }
  })

  it('gives the same promise twice, and an error for a body that other code has read', async () => {
    const readForm = multipart()
    const request = post(form(['a', '1']))
    assert.equal(readForm(request), readForm(request))
    await readForm(request)
    await assert.rejects(multipart()(request), { status: 500, type: 'stream.not.readable' })
  })

  it('does not take a Request that other code has read for one of another type, if its type is gone', async () => {
    const request = post(form(['a', '1']))
    await request.text()
    request.headers.delete('content-type') // as Bun does for a FormData
    await assert.rejects(multipart()(request), { status: 500, type: 'stream.not.readable' })
    await assert.rejects(multipart().parts(request).next(), { status: 500, type: 'stream.not.readable' })
  })

  it('refuses a declared length before a boundary that is missing', async () => {
    const headers = { 'content-type': 'multipart/form-data', 'content-length': '11' }
    const request = () => new Request('http://localhost/', { method: 'POST', headers, body: 'hello world' })
    await assert.rejects(multipart({ limit: 10 })(request()), { type: 'entity.too.large', expected: 11 })
    await assert.rejects(multipart({ limit: 11 })(request()), { type: 'multipart.boundary.missing' })
    const untyped = new Request('http://localhost/', { method: 'POST', body: new Uint8Array(5) })
    await assert.rejects(multipart({ type: () => true })(untyped), { type: 'multipart.boundary.missing' })
  })

  it('checks the fields against a schema, and removes the files if they are refused', async () => {
    const readForm = multipart({ schema: SCHEMA, store: multipart.disk(folder.at()) })
    assert.deepEqual((await readForm(post(form(['a', '1'])))).fields, { a: 1 })
    await assert.rejects(readForm(post(form(['a', '2'], ['f', '1', 'x']))), { status: 422, type: 'entity.invalid' })
    assert.deepEqual(folder.names(), [])
  })

  it('fails when its time is over, and when its client leaves, whatever it waits for', async () => {
    const controller = new AbortController()
    const reasons = []
    const store = (file, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason.type))
      return lengthOf(file)
    }
    const endless = (signal) => unending(form(['f', '1', 'x']).subarray(0, -9), signal)
    await assert.rejects(multipart({ store, timeout: 30 })(endless()), { status: 408, type: 'request.timeout' })
    const left = multipart({ store })(endless(controller.signal))
    setTimeout(() => controller.abort(), 20)
    await assert.rejects(left, { status: 400, type: 'request.aborted' })
    assert.deepEqual(reasons, ['request.timeout', 'request.aborted'])
  })
})

describe('a store of fast-body-parser/web', () => {
  const folder = useFolder()

  it('gets a stream, and what came before its file', async () => {
    const seen = []
    const store = async (file, { request, fields, signal }) => {
      seen.push([file.field, file.name, file.folder, file.type, request.url, { ...fields }, signal.aborted])
      return lengthOf(file)
    }
    const { files } = await multipart({ limit: '4mb', store })(post(form(['a', '1'], ['f', big, 'x'], ['f', '', 'y'])))
    assert.deepEqual(files.f.map(({ size, value }) => [size, value]), [[2 ** 20, 2 ** 20], [0, 0]])
    assert.deepEqual(seen[0], ['f', 'x', '', 'text/plain', 'http://localhost/', { a: '1' }, false])
  })

  it('may give the stream to a Response, iterate over the file, or peek at it first', async () => {
    const stores = [
      (file) => new Response(file.stream).text(),
      async (file) => (await collect(file)).map((chunk) => Buffer.from(chunk)).join(''),
      async (file) => {
        const head = await file.peek(2)
        return `${Buffer.from(head)}|${await new Response(file.stream).text()}`
      }
    ]
    for (const [store, expected] of stores.map((store, at) => [store, ['text', 'text', 'te|text'][at]])) {
      assert.equal((await multipart({ store })(post(form(['f', 'text', 'x'])))).files.f[0].value, expected)
    }
  })

  it('may give the stream to a stream of bytes, which takes the memory of each chunk', async () => {
    const store = async ({ stream }) => {
      const reader = stream.getReader()
      const taken = new ReadableStream({
        type: 'bytes',
        async pull (controller) {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        }
      })
      return lengthOf({ stream: taken })
    }
    const body = form(['a', '1'], ['f', big, 'x'], ['b', '2'], ['g', 'small', 'y'], ['c', '3'])
    for (const content of [split(body, 20), body]) {
      const { fields, files } = await multipart({ files: { '*': { max: 2, size: '2mb' } }, store })(post(content))
      assert.deepEqual([{ ...fields }, files.f[0].value, files.g[0].value], [{ a: '1', b: '2', c: '3' }, big.length, 5])
    }
  })

  it('holds its client back while it does not read', async () => {
    const content = Array.from({ length: 64 }, () => Buffer.alloc(64 * 1024))
    const pieces = [form(['f', '', 'x']).subarray(0, -9), ...content, Buffer.from('\r\n--b--')]
    const asked = []
    let seen
    const store = async (file) => {
      await delay(50)
      seen = asked.length
      return lengthOf(file)
    }
    const { files } = await multipart({ limit: '8mb', store })(post(pieces, { asked }))
    assert.equal(files.f[0].value, 64 * 64 * 1024)
    assert.ok(seen < 10, `${seen} pieces`)
  })

  it('fails the form with its own error, at once', async () => {
    const store = () => Promise.reject(Object.assign(new Error('no'), { status: 422 }))
    const read = multipart({ store, drainLimit: 0, timeout: 1000 })
    await assert.rejects(read(unending(form(['f', '', 'x']).subarray(0, -7))), { message: 'no', status: 422 })
  })

  it('removes the files of a form that is too large before the rest of its body is read off', async () => {
    const seen = [] // files in the folder, each time that more of the body is wanted
    const pieces = [form(['f', 'one', 'x']).subarray(0, -7), big, big]
    const stream = new ReadableStream({
      async pull (controller) {
        while (pieces.length === 2 && folder.names().length === 0) await delay(1) // the file is being opened
        seen.push(folder.names().length)
        if (pieces.length === 0) controller.close()
        else controller.enqueue(new Uint8Array(pieces.shift()))
      }
    }, { highWaterMark: 0 })
    const read = multipart({ limit: 1000, store: multipart.disk(folder.at()) })
    await assert.rejects(read(requestOf(stream)), { status: 413 })
    assert.deepEqual(folder.names(), [])
    assert.deepEqual(seen, [0, 1, 0, 0]) // it is too large with the second piece
  })

  it('loses what it has not read when it has ended: a later read is an error', async () => {
    const kept = []
    const { files } = await multipart({
      limit: '4mb',
      store: (file) => { kept.push(file) }
    })(post(form(['f', big, 'x'])))
    assert.equal(files.f[0].size, 2 ** 20)
    await assert.rejects(lengthOf(kept[0]), { status: 500, type: 'multipart.file.discarded' })
    await assert.rejects(kept[0].peek(1), { type: 'multipart.file.discarded' })
  })

  /** The content of the file comes once the store has ended. @param {(reader: object) => Promise<void> | void} act */
  async function readBeforeContent (act) {
    let kept
    let tellStored
    const stored = new Promise((resolve) => { tellStored = resolve })
    const store = async (file) => {
      const reader = file.stream.getReader()
      reader.read().catch(() => {})
      await delay(1) // the stream is asked for bytes
      await act(reader)
      kept = file
      setImmediate(tellStored)
    }
    const whole = form(['f', 'text', 'x'])
    const pieces = [whole.subarray(0, whole.indexOf('text')), whole.subarray(whole.indexOf('text'))]
    const body = new ReadableStream({
      async pull (controller) {
        if (pieces.length === 1) await stored
        if (pieces.length === 0) controller.close()
        else controller.enqueue(new Uint8Array(pieces.shift()))
      }
    }, { highWaterMark: 0 })
    return { kept: () => kept, form: await multipart({ store })(requestOf(body)) }
  }

  it('ends the read that it has let go of before anything came', async () => {
    const { kept, form: { files } } = await readBeforeContent((reader) => reader.releaseLock())
    assert.equal(files.f[0].size, 4)
    await assert.rejects(lengthOf(kept()), { type: 'multipart.file.discarded' })
  })

  it('may cancel the stream while a read of it waits', async () => {
    const { form: { files } } = await readBeforeContent((reader) => reader.cancel())
    assert.equal(files.f[0].size, 4)
  })

  it('is done once its file is read to the end, though the reader keeps its lock', async () => {
    const store = async ({ stream }) => {
      const reader = stream.getReader()
      while (!(await reader.read()).done);
    }
    // No time passes, in which what is left of a file would be discarded.
    const read = new Clock().load(() => require('fast-body-parser/web').multipart({ store }))
    assert.equal((await read(post(form(['f', 'text', 'x'])))).files.f[0].size, 4)
  })

  it('may cancel the stream, and the form goes on', async () => {
    // eslint-disable-next-line no-unreachable-loop
    const store = async (file) => { for await (const chunk of file) return chunk.length > 0 }
    const { fields, files } = await multipart({ limit: '4mb', store })(post(form(['f', big, 'x'], ['a', '1'])))
    assert.deepEqual([fields, files.f[0].value], [{ a: '1' }, true])
  })
})

describe('multipart.disk of fast-body-parser/web', () => {
  const folder = useFolder()

  it('keeps files until the form is disposed of, but for those that the app keeps', async () => {
    const readForm = multipart({ limit: '4mb', store: multipart.disk(folder.at()) })
    const { dispose, files: { f: [x, y, z] } } = await readForm(post(form(['f', big, 'x'], ['f', '1', 'y'],
      ['f', '2', 'z'])))
    assert.equal(fs.statSync(x.path).size, 2 ** 20)
    await y.keep(folder.at('kept'))
    await z.keep(pathToFileURL(folder.at('also')))
    await Promise.all([dispose(), dispose()])
    assert.deepEqual(folder.names(), ['also', 'kept'])
    const message = `ENOENT: the file is removed, as the response is closed or the form disposed of: ${x.path}`
    await assert.rejects(x.keep(), { code: 'ENOENT', message })
  })

  it('needs a file system', () => {
    const file = require.resolve('../../lib/uploads/storage/disk')
    const own = require.cache[file]
    require.cache[file] = { exports: {} } // as bundles for browsers have it
    try {
      const message = 'multipart.disk needs a file system, which this runtime does not have: use a store of your own'
      assert.throws(() => multipart.disk('uploads'), { name: 'TypeError', message })
    } finally {
      delete require.cache[file]
      if (own !== undefined) require.cache[file] = own
    }
  })

  disposing.it('is disposed of by await using', async () => {
    const result = await multipart({ store: multipart.disk(folder.at()) })(post(form(['f', '1', 'x'])))
    await result[Symbol.asyncDispose]()
    assert.deepEqual([folder.names(), Object.keys(result)], [[], ['fields', 'files', 'dispose']])
  })
})

describe('parts of fast-body-parser/web', () => {
  it('are read off when the loop ends before the next one arrives', async () => {
    const asked = []
    const pieces = split(form(['f', big, 'x']), 4)
    const loop = multipart().parts(post([form(['a', '1']).subarray(0, -7), ...pieces], { asked }))
    assert.equal((await loop.next()).value.value, '1')
    await loop.return()
    for (let turns = 0; turns < 1000 && asked.at(-1) > 0; turns++) await delay(1)
    assert.equal(asked.at(-1), 0)
  })

  it('are of any multipart type, and another one is a 415', async () => {
    const batch = Buffer.from('--b\r\nContent-Type: application/http\r\n\r\nGET /\r\n--b--')
    const read = (type, options) => multipart(options).parts(post(batch, { type })).next()
    assert.equal((await read('multipart/mixed; boundary=b')).value.value, 'GET /')
    await assert.rejects(read('application/json'), { status: 415, type: 'media.type.unsupported' })
    await assert.rejects(read('multipart/mixed; boundary=b', { type: 'multipart/form-data' }), { status: 415 })
    assert.deepEqual(await multipart().parts(new Request('http://localhost/', { method: 'POST' })).next(),
      { done: true, value: undefined })
    assert.throws(() => multipart().parts({}),
      { name: 'TypeError', message: 'parts takes a Request of the web, such as c.req.raw of Hono' })
  })
})
