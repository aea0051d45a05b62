'use strict'

// What an app may do with a file that it gets: in a store, or in a loop over the parts.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const { PassThrough, pipeline, Readable, Writable } = require('node:stream')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { promisify } = require('node:util')
const { multipart } = require('../../../')
const Clock = require('../../support/clock')
const useFolder = require('../../support/folder')
const { TYPE, form, iterate, nextOf, openRequest, upload } = require('../../support/upload')

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
const isLate = { message: RULE, status: 500, type: 'multipart.file.discarded' }

/** Reads what has come; the last read waits for more. */
async function readSome (file) {
  await once(file, 'readable')
  while (file.read() !== null);
}

/** What ends the life of a file: gives files that nobody has read to the end, and the error of reading one then. */
const endings = {
  async 'its store has ended, if nothing listened to it' () {
    const files = []
    const store = (file) => { files.push(file) }
    const { error } = await upload(multipart({ limit: '4mb', store }), form(['f', big, 'x'], ['f', '', 'y']))
    assert.deepEqual([error, files.length], [undefined, 2])
    return { files, error: isLate }
  },
  async 'its store has ended while a read of it waited' () {
    const req = openRequest()
    const body = form(['f', '12', 'x'])
    const store = (file) => readSome(file).then(() => {
      setImmediate(() => req.push(body.subarray(body.indexOf('2'))) && req.push(null))
      return file
    })
    const settled = nextOf(multipart({ store }), req)
    req.push(body.subarray(0, body.indexOf('2')))
    assert.equal(await settled, undefined)
    return { files: [req.files.f[0].value], error: isLate }
  },
  async 'the next part was asked for' () {
    const files = []
    await upload(iterate(multipart({ limit: '4mb' }), async (parts) => {
      for await (const part of parts) if (part.name !== undefined) files.push(part)
    }), form(['f', big, 'x'], ['a', '1'], ['f', '1', 'y'], ['f', '', 'z']))
    assert.equal(files.length, 3)
    return { files, error: isLate }
  },
  'its client has left, if nothing listened to it': () => leaveWithin(() => {}),
  'its client has left, if a read of it waited': () => leaveWithin(readSome)
}

async function leaveWithin (look) {
  const files = []
  const store = async (file, { signal }) => {
    files.push(file)
    const aborted = once(signal, 'abort')
    await look(file)
    await aborted
  }
  const body = form(['f', big, 'x']).subarray(0, 1000)
  const { error } = await upload(multipart({ limit: '4mb', store }), body, { cut: true })
  assert.equal(error.type, 'request.aborted')
  return { files, error }
}

describe('a file of a form', () => {
  const folder = useFolder()

  for (const [way, read] of Object.entries(ways)) {
    it(`is read by ${way}`, async () => {
      const seen = await upload(multipart({ limit: '4mb', store: read }),
        form(['f', big, 'x'], ['f', '', 'y'], ['f', '1', 'z']))
      assert.equal(seen.error, undefined)
      assert.deepEqual(seen.files.f.map(({ value }) => value.length), [MEGABYTE, 0, 1])
      assert.ok(seen.files.f[0].value.equals(big))
    })
  }

  for (const [index, [what, end]] of Object.entries(endings).entries()) {
    const chosen = Object.keys(ways).filter((way, at, { length }) => [0, 2].includes((at + length - index) % length))
    it(`is an error for ${chosen.join(' and ')} after ${what}`, async () => {
      for (const way of chosen) {
        const { files, error } = await end()
        for (const file of files) await assert.rejects(ways[way](file), error)
      }
    })
  }

  // [what, store]
  const partial = [
    ['an iterator', async (file) => (await file[Symbol.asyncIterator]().next()).value],
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
    const target = folder.at('x')
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
    const parser = clock.load(() => require('../../../').multipart({ limit: '4mb', store }))
    const seen = await clock.passUntil(upload(parser, form(['f', big, 'x'])))
    assert.deepEqual([seen.error, seen.files.f[0].value], [undefined, target])
    while (fs.statSync(target).size < MEGABYTE) await delay(1)
    assert.ok(fs.readFileSync(target).equals(big))
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
})

/** Sends a file of six bytes to a parser, with a pause after the third. */
async function sendSlowly (store, pause, parser = multipart({ store })) {
  const body = form(['f', 'abcdef', 'x'])
  const headers = { 'content-type': TYPE, 'content-length': String(body.length) }
  const req = Object.assign(new PassThrough(), { headers })
  const parsed = nextOf(parser, req, null)
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
  const body = form(['f', big, 'x'])
  const short = form(['f', 'abc', 'x'], ['f', '', 'y'])
  // [what, store, pieces of the form, what the store returns]
  const rows = [
    ['gives the first bytes, in a copy', async (file) => {
      const first = await file.peek(8)
      const start = String(first)
      first.fill(0)
      return [start, String(await file.peek(8))]
    }, [body], [['abcdefga', 'abcdefga']]],
    ['gives more bytes than the first chunks have',
      async (file) => (await file.peek(65536)).equals(big.subarray(0, 65536)),
      [body.subarray(0, 70), body.subarray(70, 75), body.subarray(75, 90), body.subarray(90)], [true]],
    ['may be called twice at a time', (file) => Promise.all([file.peek(2).then(String), file.peek(1).then(String)]),
      [body], [['ab', 'a']]],
    ['comes before a read that was called after it', async (file) => {
      const peeked = file.peek(20)
      const read = ways['for await'](file)
      return [(await read).length, (await peeked).length]
    }, [body.subarray(0, 85), body.subarray(85)], [[MEGABYTE, 20]]],
    ['gives fewer bytes if the file is shorter',
      async (file) => [String(await file.peek(10)), String(await ways.events(file))],
      [short], [['abc', 'abc'], ['', '']]]
  ]
  for (const [what, store, pieces, values] of rows) {
    it(what, async () => {
      const seen = await upload(multipart({ limit: '4mb', store }), pieces)
      assert.deepEqual([seen.error, seen.files.f.map(({ value }) => value)], [undefined, values])
    })
  }

  it('is awaited if the store returns before', async () => {
    let peeked
    const store = (file) => { peeked = file.peek(2000) }
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

  it('refuses a size that is not a whole number of 1 to 65536', async () => {
    const isNumber = { name: 'TypeError', message: 'peek takes a whole number of bytes' }
    const isWithin = { name: 'RangeError', message: 'peek takes 1 to 65536 bytes' }
    const store = async (file) => {
      for (const size of [undefined, null, '8', NaN, 1.5, Infinity]) await assert.rejects(file.peek(size), isNumber)
      for (const size of [0, -1, 65537]) await assert.rejects(file.peek(size), isWithin)
    }
    assert.equal((await upload(multipart({ store }), form(['f', '1', 'x']))).error, undefined)
  })

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

  it('fails with the form, also if nobody awaits it yet', async () => { // mocha fails a test that leaves a rejection
    let peeked
    const store = async (file, { signal }) => {
      peeked = file.peek(1000)
      await once(signal, 'abort')
      await turn()
    }
    const seen = await upload(multipart({ store }), form(['f', big, 'x']).subarray(0, 100), { cut: true })
    assert.equal(seen.error.type, 'request.aborted')
    await assert.rejects(peeked, { type: 'request.aborted' })
  })
})

describe('a request that its store ends', () => {
  const end = (file, { req }) => { req.destroy() }
  const endAsItIsTold = (file, { req, signal }) => new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(req.destroy()))
  })
  // [when, the store, options, error]
  const rows = [
    ['within its own call', end, {}, 'request.aborted'],
    ['while it is told of a deadline', endAsItIsTold, { timeout: 20 }, 'request.aborted']
  ]
  for (const [when, store, options, type] of rows) {
    it(`${when} is aborted, once`, async () => {
      const { error, calls } = await upload(multipart({ ...options, store }), form(['f', big, 'x']).subarray(0, 1000),
        { headers: { 'Content-Length': MEGABYTE } })
      assert.deepEqual([error.type, calls], [type, 1])
    })
  }
})
