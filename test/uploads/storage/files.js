'use strict'

// What an app may do with a file that it gets: in a store, or in a loop over the parts.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { finished, PassThrough, pipeline, Readable, Writable } = require('node:stream')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { promisify } = require('node:util')
const { multipart } = require('../../../')
const Clock = require('../../support/clock')
const { form, upload } = require('../../support/upload')

const MEGABYTE = 2 ** 20
const big = Buffer.alloc(MEGABYTE, 'abcdefg')
const RULE = 'multipart: a file must be read before its store has ended, or before the next part is asked for'
const slowly = (write) => new Writable({ highWaterMark: 1, write })
const discard = () => slowly((chunk, encoding, done) => done())

/** Ways to read a file to its end. */
const ways = {
  'for await': async (file) => {
    const chunks = []
    for await (const chunk of file) chunks.push(chunk)
    return Buffer.concat(chunks)
  },
  events: (file) => new Promise((resolve, reject) => {
    const chunks = []
    file.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks))).on('error', reject)
  }),
  readable: (file) => new Promise((resolve, reject) => {
    const chunks = []
    file.on('readable', () => {
      for (let chunk; (chunk = file.read()) !== null;) chunks.push(chunk)
    }).on('end', () => resolve(Buffer.concat(chunks))).on('error', reject)
  }),
  pipeline: async (file) => {
    const chunks = []
    await promisify(pipeline)(file, slowly((chunk, encoding, done) => {
      chunks.push(chunk)
      setImmediate(done)
    }))
    return Buffer.concat(chunks)
  },
  toWeb: async (file) => Buffer.from(await new Response(Readable.toWeb(file)).arrayBuffer())
}
const openRequest = () => Object.assign(new Readable({ read () {} }), {
  headers: { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }
})
const isLate = { message: RULE, status: 500, type: 'multipart.file.discarded' }

/** Reads what has come; the last read waits for more. */
async function readSome (file) {
  await once(file, 'readable')
  while (file.read() !== null);
}

describe('a file of a form', () => {
  for (const [way, read] of Object.entries(ways)) {
    it(`is read by ${way}`, async () => {
      const seen = await upload(multipart({ limit: '4mb', store: read }),
        form(['f', big, 'x'], ['f', '', 'y'], ['f', '1', 'z']))
      assert.equal(seen.error, undefined)
      assert.deepEqual(seen.files.f.map(({ value }) => value.length), [MEGABYTE, 0, 1])
      assert.ok(seen.files.f[0].value.equals(big))
    })

    it(`is an error for ${way} after its store has ended, if nothing listened to it`, async () => {
      const late = []
      const store = (file) => { late.push(file) }
      const seen = await upload(multipart({ limit: '4mb', store }), form(['f', big, 'x'], ['f', '', 'y']),
        { handle: () => Promise.all(late.map((file) => assert.rejects(read(file), isLate))) })
      assert.deepEqual([seen.error, seen.thrown, late.length], [undefined, undefined, 2])
    })

    it(`is an error for ${way} after its store has ended while a read of it waited`, async () => {
      const req = openRequest()
      const body = form(['f', '12', 'x'])
      const settled = new Promise((resolve) => {
        const store = (file) => readSome(file).then(() => {
          setImmediate(() => req.push(body.subarray(body.indexOf('2'))) && req.push(null))
          return file
        })
        multipart({ store })(req, {}, resolve)
      })
      req.push(body.subarray(0, body.indexOf('2')))
      assert.equal(await settled, undefined)
      await assert.rejects(read(req.files.f[0].value), isLate)
    })

    it(`is an error for ${way} after the next part was asked for while a read of it waited`, async () => {
      const req = openRequest()
      const body = form(['f', '12', 'x'], ['a', '3'])
      const parts = multipart().parts(req, {})
      req.push(body.subarray(0, body.indexOf('2')))
      const { value: file } = await parts.next()
      await readSome(file)
      const next = parts.next()
      await turn()
      req.push(body.subarray(body.indexOf('2')))
      const { field, value } = (await next).value
      assert.deepEqual([field, value], ['a', '3'])
      await assert.rejects(read(file), isLate)
      await parts.return()
    })

    it(`is an error for ${way} after the next part was asked for`, async () => {
      const files = []
      const parser = multipart({ limit: '4mb' })
      const seen = await upload(async (req, res, next) => {
        for await (const part of parser.parts(req, res)) if (part.name !== undefined) files.push(part)
        next()
      }, form(['f', big, 'x'], ['a', '1'], ['f', '1', 'y'], ['f', '', 'z']),
      { handle: () => Promise.all(files.map((file) => assert.rejects(read(file), isLate))) })
      assert.deepEqual([seen.thrown, files.length], [undefined, 3])
    })

    for (const [what, look] of [['nothing listened to it', () => {}], ['a read of it waited', readSome]]) {
      it(`is an error for ${way} after its client has left, if ${what}`, async () => {
        let file
        const store = async (stream, { signal }) => {
          file = stream
          const aborted = once(signal, 'abort')
          await look(file)
          await aborted
        }
        const seen = await upload(multipart({ limit: '4mb', store }), form(['f', big, 'x']).subarray(0, 1000),
          { cut: true })
        assert.equal(seen.error.type, 'request.aborted')
        await assert.rejects(read(file), seen.error)
      })
    }

    it(`is an error for ${way} after the form has failed`, async () => {
      const files = []
      const parser = multipart({ limit: '4mb', fields: { max: 0 } })
      await upload(async (req, res, next) => {
        const parts = parser.parts(req, res)
        const results = await Promise.allSettled([parts.next(), parts.next()])
        files.push(results[0].value.value)
        next(results[1].reason)
      }, form(['f', '1', 'x'], ['a', '1']),
      { handle: () => Promise.all(files.map((file) => assert.rejects(read(file)))) })
      assert.equal(files.length, 1)
    })
  }

  // [what, store]
  const partial = [
    ['an iterator', async (file) => (await file[Symbol.asyncIterator]().next()).value],
    ['a web stream', (file) => Readable.toWeb(file).getReader().read()],
    ['listeners, and paused', async (file) => { await once(file.on('data', () => {}), 'data'); file.pause() }],
    ['listeners, and unpiped',
      async (file) => { file.pipe(discard()); await once(file, 'data'); file.unpipe().on('data', () => {}).pause() }]
  ]
  for (const [what, store] of partial) {
    it(`is discarded after a second without a read, if its store has looked at it by ${what}`, async () => {
      const clock = new Clock()
      const files = []
      const keep = (file) => {
        files.push(file)
        return store(file)
      }
      const { budget, parser } = clock.load(() => {
        const { createBudget, multipart } = require('../../../')
        const budget = createBudget({ bytes: '16mb' })
        return { budget, parser: multipart({ limit: '4mb', budget, store: keep }) }
      })
      const seen = await clock.passUntil(upload(parser, form(['f', big, 'x'], ['f', '1', 'y'], ['a', '1']), {
        async handle () {
          const [{ errored }] = files
          assert.deepEqual([budget.used, errored], [0, null])
          await assert.rejects(async () => { for await (const chunk of files[0]) chunk.at(0) }, isLate)
        }
      }))
      assert.deepEqual([seen.error, seen.thrown, seen.body, seen.files.f.length], [undefined, undefined, { a: '1' }, 2])
    })
  }

  it('is waited for while it is piped to a destination that stalls', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'files-'))
    const target = path.join(folder, 'x')
    const clock = new Clock()
    const store = (file) => {
      const to = fs.createWriteStream(target)
      const { _write: write } = to
      to._write = async (...args) => { // once, after more than two looks
        to._write = write
        await clock.delay(2500)
        write.apply(to, args)
      }
      file.pipe(to)
      return target
    }
    try {
      const parser = clock.load(() => require('../../../').multipart({ limit: '4mb', store }))
      const seen = await clock.passUntil(upload(parser, form(['f', big, 'x'])))
      assert.deepEqual([seen.error, seen.files.f[0].value], [undefined, target])
      while (fs.statSync(target).size < MEGABYTE) await delay(1)
      assert.ok(fs.readFileSync(target).equals(big))
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  it('is waited for as long as something is read in each second, and as the client is awaited', async () => {
    const clock = new Clock()
    let length = 0
    const store = (file) => { // a read for each 600 ms, and a client that stalls for 2.5 seconds
      (async () => {
        for await (const chunk of file) {
          length += chunk.length
          await clock.delay(600)
        }
      })()
    }
    const parser = clock.load(() => require('../../../').multipart({ store }))
    const body = form(['f', Buffer.alloc(100_000), 'x'])
    const seen = await clock.passUntil(new Promise((resolve, reject) => {
      const req = openRequest()
      parser(req, {}, (error) => error ? reject(error) : resolve(req.files))
      req.push(body.subarray(0, 40_000))
      clock.delay(2500).then(() => {
        for (let at = 40_000; at < body.length; at += 20_000) req.push(body.subarray(at, at + 20_000))
        req.push(null)
      })
    }))
    assert.deepEqual([seen.f.length, length], [1, 100_000])
  })

  for (const [what, leaves] of [['leaves', true], ['stays', false]]) {
    it(`ends neither the process nor the form's life if its listeners are removed, and the client ${what}`, async () => {
      const store = async (file) => {
        await once(file, 'data')
        file.removeAllListeners()
        await delay(50)
        return 'x'
      }
      const body = leaves ? form(['f', big, 'x']).subarray(0, MEGABYTE / 2) : form(['f', big, 'x'])
      const seen = await upload(multipart({ limit: '4mb', store }), body, { cut: leaves })
      assert.deepEqual([seen.error?.type, seen.calls], [leaves ? 'request.aborted' : undefined, 1])
    })
  }

  it('is destroyed with the reason if its form fails while something listens', async () => {
    const reasons = []
    const store = (file) => new Promise((resolve, reject) => finished(file, (error) => {
      reasons.push(error)
      reject(error)
    }))
    const seen = await upload(multipart({ limit: '4mb', store }), form(['f', big, 'x']).subarray(0, 1000),
      { cut: true })
    assert.deepEqual([seen.error.type, reasons], ['request.aborted', [seen.error]])
  })

  it('may tell of its error after the store has failed, without a listener', async () => {
    let error
    const store = async (file) => {
      file.destroy(new Error('no'))
      await new Promise((resolve) => { file.on('close', resolve) }) // `once` of node:events would listen to errors
      error = file.errored
      return 'x'
    }
    const seen = await upload(multipart({ limit: '4mb', store }), form(['f', big, 'x']))
    assert.deepEqual([seen.error, seen.files.f[0].value, error.message], [undefined, 'x', 'no'])
  })

  it('takes little memory in one-byte chunks, while its store is busy', async () => {
    let file
    let go
    const store = (stream) => {
      file = stream
      return new Promise((resolve) => { go = resolve })
    }
    const req = openRequest()
    const settled = new Promise((resolve) => multipart({ store })(req, {}, resolve))
    const body = form(['f', Buffer.alloc(10_000, 'y'), 'x'])
    for (const byte of body) {
      req.push(Buffer.of(byte))
      await turn()
    }
    const chunks = []
    file.on('data', (chunk) => chunks.push(chunk))
    go()
    req.push(null)
    assert.equal(await settled, undefined)
    assert.ok(chunks.length < 10, `${chunks.length} chunks`)
    assert.ok(Buffer.concat(chunks).equals(Buffer.alloc(10_000, 'y')))
  })
})

/** Sends a file of six bytes to a parser, with a pause after the third. */
async function sendSlowly (store, pause, parser = multipart({ store })) {
  const body = form(['f', 'abcdef', 'x'])
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(body.length) }
  const req = Object.assign(new PassThrough(), { headers })
  const parsed = new Promise((resolve) => parser(req, null, resolve))
  const cut = body.indexOf('def')
  req.write(body.subarray(0, cut))
  await pause()
  req.end(body.subarray(cut))
  assert.equal(await parsed, undefined)
}

describe('a file whose store returns at once', () => {
  it('ends for listeners if it flows', async () => {
    const ended = []
    await sendSlowly((file) => { file.resume().once('end', () => ended.push(file.name)) }, () => delay(50))
    assert.deepEqual(ended, ['x'])
  })

  it('is discarded, whatever the form fails with then', async () => {
    let file
    const body = form(['f', big, 'x']).subarray(0, 1000)
    const seen = await upload(multipart({ store: (stream) => { file = stream } }), body, { cut: true })
    assert.equal(seen.error.type, 'request.aborted')
    const [error] = await once(file.resume(), 'error')
    assert.equal(error.type, 'multipart.file.discarded')
  })
})

describe('peek', () => {
  it('gives the first bytes, which stay in the stream', async () => {
    const store = async (file) => {
      const first = await file.peek(8)
      const start = String(first)
      first.fill(0) // is a copy
      const more = await file.peek(65536)
      const [one, two] = await Promise.all([file.peek(2), file.peek(1)])
      return [
        start, more.equals(big.subarray(0, 65536)), String(one), String(two),
        (await ways['for await'](file)).equals(big)
      ]
    }
    const body = form(['f', big, 'x'])
    for (const pieces of [
      body, [body.subarray(0, 70), body.subarray(70, 75), body.subarray(75, 90), body.subarray(90)]
    ]) {
      const seen = await upload(multipart({ limit: '4mb', store }), pieces)
      assert.deepEqual([seen.error, seen.files?.f[0].value], [undefined, ['abcdefga', true, 'ab', 'a', true]])
    }
  })

  it('gives fewer if the file is shorter', async () => {
    const store = async (file) => [String(await file.peek(10)), String(await ways.events(file))]
    const seen = await upload(multipart({ store }), form(['f', 'abc', 'x'], ['f', '', 'y']))
    assert.deepEqual(seen.files.f.map(({ value }) => value), [['abc', 'abc'], ['', '']])
  })

  it('is enough for a store: the rest is discarded', async () => {
    const store = async (file) => String(await file.peek(3))
    const seen = await upload(multipart({ limit: '4mb', store }), form(['f', big, 'x'], ['f', 'xyz', 'y']))
    assert.deepEqual(seen.files.f.map(({ value }) => value), ['abc', 'xyz'])
  })

  it('is awaited if the store returns before', async () => {
    let peeked
    const store = (file) => { peeked = file.peek(2000) }
    const body = form(['f', big, 'x'])
    const seen = await upload(multipart({ limit: '4mb', store }), [body.subarray(0, 100), body.subarray(100)])
    assert.deepEqual([seen.error, (await peeked).length], [undefined, 2000])
  })

  it('waits for no more bytes than it gives', async () => {
    let tell
    const peeked = new Promise((resolve) => { tell = resolve })
    await sendSlowly((file) => tell(file.peek(3)), async () => {
      assert.equal(String(await Promise.race([peeked, delay(500, 'waits', { ref: false })])), 'abc')
    })
  })

  it('waits for a client that is slow, although the store has returned', async () => {
    const clock = new Clock()
    let peeked
    const store = (file) => { peeked = file.peek(4) }
    const parser = clock.load(() => require('../../../').multipart({ store }))
    await clock.passUntil(sendSlowly(store, () => clock.delay(2100), parser)) // more than two looks
    assert.equal(String(await peeked), 'abcd')
  })

  it('comes before a read that was called after it', async () => {
    const store = (file) => {
      const peeked = file.peek(20)
      return Promise.all([ways['for await'](file), peeked])
    }
    const body = form(['f', big.subarray(0, 100), 'x'])
    const { files: { f: [{ value: [content, peeked] }] } } = await upload(multipart({ store }),
      [body.subarray(0, 85), body.subarray(85)])
    assert.deepEqual([String(content), String(peeked)], [String(big.subarray(0, 100)), String(big.subarray(0, 20))])
  })

  it('comes before a read that waits for the client as well', async () => {
    let seen
    await sendSlowly((file) => { seen = Promise.all([file.peek(4), ways['for await'](file)]) }, () => delay(50))
    assert.deepEqual((await seen).map(String), ['abcd', 'abcdef'])
  })

  it('works in a loop over the parts', async () => {
    const seen = []
    await upload(async (req, res, next) => {
      for await (const part of multipart({ limit: '4mb' }).parts(req, res)) seen.push(String(await part.peek(2)))
      next()
    }, form(['f', big, 'x'], ['f', 'z', 'y']))
    assert.deepEqual(seen, ['ab', 'z'])
  })

  // [what, size, error]
  const sizes = [
    ...[undefined, null, '8', NaN, 1.5, Infinity].map((size) =>
      [size, { name: 'TypeError', message: 'peek takes a whole number of bytes' }]),
    ...[0, -1, 65537].map((size) => [size, { name: 'RangeError', message: 'peek takes 1 to 65536 bytes' }])
  ]
  for (const [size, error] of sizes) {
    it(`refuses ${JSON.stringify(size) ?? size} (${typeof size})`, async () => {
      const store = (file) => assert.rejects(file.peek(size), error)
      assert.equal((await upload(multipart({ store }), form(['f', '1', 'x']))).error, undefined)
    })
  }

  it('is refused once the file was read, destroyed or discarded', async () => {
    const files = []
    const store = async (file) => {
      files.push(file)
      if (file.name === 'read') await once(file, 'readable')
      if (file.name === 'read') {
        await assert.rejects(file.peek(1), { message: 'peek must be called before the file is read' })
      }
      if (file.name === 'destroyed') await assert.rejects(file.destroy(new Error('no')).peek(1), { message: 'no' })
      if (file.name === 'closed') await assert.rejects(file.destroy().peek(1), isLate)
    }
    const seen = await upload(multipart({ store }),
      form(...['read', 'destroyed', 'closed', 'late'].map((name) => ['f', '1', name])),
      { handle: () => assert.rejects(files.at(-1).peek(1), isLate) })
    assert.deepEqual([seen.error, seen.thrown, files.length], [undefined, undefined, 4])
  })

  it('fails with the form, and does not end the process if nobody awaits it yet', async () => {
    let peeked
    const store = async (file, { signal }) => {
      peeked = file.peek(1000)
      await once(signal, 'abort')
      await turn()
    }
    const unhandled = []
    const note = (error) => unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      const seen = await upload(multipart({ store }), form(['f', big, 'x']).subarray(0, 100), { cut: true })
      assert.deepEqual([seen.error.type, unhandled], ['request.aborted', []])
      await assert.rejects(peeked, { type: 'request.aborted' })
    } finally {
      process.removeListener('unhandledRejection', note)
    }
  })
})

describe('a request that its store ends', () => {
  const begun = form(['f', big, 'x']).subarray(0, 1000)

  /** The arguments of `next`, once the client has seen its connection close. */
  async function outcomeOf (createParser) {
    const seen = { calls: [] }
    const server = http.createServer((req, res) => {
      createParser(req)(req, res, (...args) => seen.calls.push(args))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': MEGABYTE }
    const client = http.request({ port: server.address().port, method: 'POST', headers })
    client.write(begun)
    await once(client, 'error')
    for (let i = 0; i < 5; i++) await turn()
    server.close()
    return seen.calls
  }

  it('within its own call is aborted, once', async () => {
    const [[error], ...more] = await outcomeOf((req) => multipart({ store () { req.destroy() } }))
    assert.deepEqual([error.type, more], ['request.aborted', []])
  })

  it('when it is told of a deadline is aborted, once', async () => {
    const [[error], ...more] = await outcomeOf((req) => multipart({
      timeout: 20,
      store: (file, { signal }) => once(signal, 'abort').then(() => req.destroy())
    }))
    assert.deepEqual([error.type, more], ['request.timeout', []])
    const [[listened], ...others] = await outcomeOf((req) => multipart({
      timeout: 20,
      store: (file, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => {
        req.destroy()
        resolve()
      }))
    }))
    assert.deepEqual([listened.type, others], ['request.aborted', []])
  })
})
