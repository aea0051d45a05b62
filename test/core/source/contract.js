'use strict'

// What each source of bytes keeps, whatever is below it: see
// ../../../lib/core/source/source.js. Each source, and each source around a source.

const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const { EventEmitter } = require('node:events')
const { Duplex, PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { BYTES } = require('../../../lib/core/body/match')
const BoundedSource = require('../../../lib/core/source/bounded-source')
const { createOpenDigest, DigestedSource } = require('../../../lib/core/source/content-digest')
const DecodedSource = require('../../../lib/core/source/decoded-source')
const Source = require('../../../lib/core/source/source')
const StreamSource = require('../../../lib/core/source/stream-source')
const RequestContent = require('../../../lib/core/body/request-content')
const { WrittenSource } = require('../../../lib/uploads/multer/stream-handler')
const BodyStream = require('../../../lib/web/body-stream')
const { openContent } = require('../../../lib/web/content')
const { findDecoder } = require('../../../lib/web/decompression')
const Interruption = require('../../../lib/web/interruption')
const { CODERS_OF_WEB: CODERS } = require('../../support/coders')
const { createExchange, createRequest, endRequest } = require('../../support/create-exchange')
const loadAgain = require('../../support/load-again')
const within = require('../../support/within')
const { split } = require('../../../tools/http-message')
const { createRandom, randomInt } = require('../../../tools/random')

const NODE = require.resolve('../../../lib/web/node')
const OPEN = 'stays open' // how a body goes on behind its chunks; or END; or with an error
const END = 'ends'

const DECODERS = {
  gzip: zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress
}

const kept = new Map() // coder -> chunks -> what it makes of them, which takes most of the time of these tests

function coded (coder, chunks) {
  if (!kept.has(coder)) kept.set(coder, new Map())
  const bodies = kept.get(coder)
  if (!bodies.has(chunks)) bodies.set(chunks, coder(Buffer.concat(chunks)))
  return bodies.get(chunks)
}

/** Pieces of a coded body that are small, so that some come after a source was stopped. */
const piecesOf = (bytes) => split(bytes, 4)

/** A source whose bytes come when they are asked for: at once, or later. */
function asked (chunks, how, later = (act) => act()) {
  const left = [...chunks]
  const source = new Source()
  source.ask = () => later(() => {
    if (left.length > 0) source.give(left.shift())
    else if (how === END) source.end()
    else if (how !== OPEN) source.end(how)
  })
  return source
}

/** A source whose bytes come whether they are asked for or not. */
function pushed (chunks, how) {
  const source = new Source()
  for (const chunk of chunks) source.give(chunk)
  if (how !== OPEN) source.end(how === END ? null : how)
  return source
}

const boundedOf = (source) => new BoundedSource(source, { limit: Infinity }, { length: null, received: 0 })

/** Bytes that are what was sent. */
function digestedOf (source, chunks) {
  const digest = createHash('sha256').update(Buffer.concat(chunks)).digest('base64')
  return new DigestedSource(source, createOpenDigest('require', createHash)(`sha-256=:${digest}:`))
}

function streamOf (chunks, how) {
  const left = [...chunks]
  return new ReadableStream({
    pull (controller) {
      if (left.length > 0) controller.enqueue(new Uint8Array(left.shift()))
      else if (how === END) controller.close()
      else if (how !== OPEN) controller.error(how)
    }
  })
}

const bodyOf = (chunks, how) => new BodyStream(streamOf(chunks, how), new Interruption({}, Infinity))

function contentOf (chunks, how, coding = 'identity') {
  const request = {
    headers: new Headers({ 'content-encoding': coding }),
    body: streamOf(chunks, how),
    bodyUsed: false
  }
  const settings = { drainLimit: Infinity, inflate: true }
  const parser = { limitOf: () => Infinity, isUnreadable: () => false, openDigest: () => null, settings }
  return openContent({ interruption: new Interruption(request, Infinity), match: BYTES, parser, request })
}

/** A stream that gives its chunks when it is read. */
function readableOf (chunks, how, stream = new Readable()) {
  const left = [...chunks]
  const read = () => {
    if (left.length > 0) stream.push(left.shift())
    else if (how === END) endRequest(stream)
    else if (how !== OPEN) setImmediate(() => stream.emit('error', how)) // to destroy a request is to abort it
  }
  stream._read = read
  return stream
}

function passThroughOf (chunks, how) {
  const stream = new PassThrough()
  for (const chunk of chunks) stream.write(chunk)
  if (how === END) stream.end()
  else if (how !== OPEN) stream.write(Buffer.alloc(0), () => setImmediate(() => stream.emit('error', how)))
  return stream
}

/** A request that asks its bytes of nobody, and its coding undone. */
function requestContentOf (chunks, how, decoder = null) {
  const exchange = createExchange(readableOf(chunks, how, createRequest()))
  const content = new RequestContent(exchange, decoder && (() => decoder), () => {})
  content.open()
  return content
}

function streamSourceOf (stream) {
  const source = new StreamSource(createExchange(stream), () => {}, () => {})
  source.open()
  return source
}

/** A readable-stream 2, which lacks what later streams tell of their state. */
function createOldStream () {
  const stream = new Readable()
  const lacking = ['closed', 'destroyed', 'errored', 'readableDidRead', 'readableEnded', 'readableFlowing',
    'readableLength']
  for (const name of lacking) Object.defineProperty(stream, name, { value: undefined })
  return stream
}

/** An emitter in the place of a request, that nobody can pause: it emits a chunk in each turn of the event loop. */
function emitterOf (chunks, how) {
  const emitter = new EventEmitter()
  const left = [...chunks]
  const emit = () => {
    if (left.length > 0) emitter.emit('data', left.shift())
    else if (how === END) return emitter.emit('end')
    else return how !== OPEN && emitter.emit('error', how)
    setImmediate(emit)
  }
  setImmediate(emit)
  return emitter
}

function writtenOf (chunks, how) {
  const source = new WrittenSource(createExchange(new Readable()), () => {}, 1)
  readableOf(chunks, how).on('error', (error) => source.stream.destroy(error)).pipe(source.stream)
  return source
}

/** ../../../lib/web/decompression where there is no zlib. */
function findWebDecoder (coding) {
  const { exports } = require.cache[NODE]
  return within(require.cache[NODE], { exports: { ...exports, findZlib: () => undefined } }, () =>
    loadAgain(require.resolve('../../../lib/web/decompression')).findDecoder(coding))
}

/** What opens each source. `chunks` are the content; a body with a coding breaks off before its end if it fails. */
const SOURCES = {
  'bytes that come at once': asked,
  'bytes that come later': (chunks, how) => asked(chunks, how, setImmediate),
  'bytes that come unasked': pushed,
  'bounded bytes': (chunks, how) => boundedOf(asked(chunks, how)),
  'bytes with a digest': (chunks, how) => digestedOf(asked(chunks, how), chunks),
  'a stream': (chunks, how) => streamSourceOf(readableOf(chunks, how)),
  'a stream that pushes': (chunks, how) => streamSourceOf(passThroughOf(chunks, how)),
  'a request': (chunks, how) => streamSourceOf(readableOf(chunks, how, createRequest())),
  'a readable-stream 2': (chunks, how) => streamSourceOf(readableOf(chunks, how, createOldStream())),
  'an emitter': (chunks, how) => streamSourceOf(emitterOf(chunks, how)),
  'the content of a request': requestContentOf,
  'what is written': writtenOf,
  'the body of a Request': bodyOf,
  'the content of a Request': contentOf,
  ...Object.fromEntries(Object.entries(CODERS).flatMap(([coding, coder]) => {
    const piecesFor = (chunks, how) => {
      const pieces = piecesOf(coded(coder, chunks))
      return how === END ? pieces : pieces.slice(0, -1)
    }
    return [
      [`${coding} around bytes`, (chunks, how) => findDecoder(coding)(asked(piecesFor(chunks, how), how))],
      [`${coding} around a request`, (chunks, how) =>
        requestContentOf(piecesFor(chunks, how), how, DECODERS[coding]())],
      [`${coding} around a Request`, (chunks, how) => contentOf(piecesFor(chunks, how), how, coding)]
    ]
  })),
  'gzip around bytes, without zlib': (chunks, how) => {
    const pieces = piecesOf(coded(CODERS.gzip, chunks))
    return findWebDecoder('gzip')(asked(how === END ? pieces : pieces.slice(0, -1), how))
  }
}

const HOLDS_BACK = /gzip|deflate|br |zstd|content/ // has read ahead, or wraps an error

const random = createRandom(1)

/** Random letters, so that a body is coded in several blocks. */
const large = (size) => Buffer.from(Array.from({ length: size }, () => randomInt(4, random)))

const CHUNKS = {
  'no chunk': [],
  'an empty chunk': [Buffer.alloc(0)],
  'chunks of 1 byte': [...large(20)].map((byte) => Buffer.of(byte)),
  'chunks of 64 KB': [large(65_536), large(65_536), large(65_536), large(65_536)],
  'chunks of 0, 1 and 64 K bytes': [Buffer.alloc(0), Buffer.of(1), large(65_536), Buffer.alloc(0), Buffer.of(2)]
}
const SOME = CHUNKS['chunks of 64 KB']

/** Reads from within each callback; stops after so many answers. */
function readAll (source, most = Infinity) {
  const chunks = []
  let isWithin = false
  return new Promise((resolve) => {
    const end = (outcome) => resolve({ bytes: Buffer.concat(chunks), outcome })
    const take = (chunk) => {
      assert.equal(isWithin, false, 'is called from within itself')
      if (chunk === null) return end(null)
      chunks.push(Buffer.from(chunk))
      if (chunks.length === most) return end('stopped')
      isWithin = true
      source.read(take, end)
      isWithin = false
    }
    source.read(take, end)
  })
}

/** What a read is answered with: several answers would be several. */
function readOnce (source) {
  const answers = []
  source.read((chunk) => answers.push(chunk === null ? 'end' : 'chunk'), (error) => answers.push(error.message))
  return answers
}

const isAnswered = async (answers) => { while (answers.length === 0) await delay(1) }

/** Threads of zlib answer after some turns of the loop. */
const settle = () => delay(3)

for (const [name, open] of Object.entries(SOURCES)) {
  describe(`a source of ${name}`, () => {
    for (const [what, chunks] of Object.entries(CHUNKS)) {
      it(`gives ${what}, and then the end, however often it is asked`, async () => {
        const source = await open(chunks, END)
        const { bytes, outcome } = await readAll(source)
        assert.equal(outcome, null)
        assert.ok(bytes.equals(Buffer.concat(chunks)))
        assert.equal(source.received, bytes.length)
        assert.deepEqual([readOnce(source), readOnce(source)], [['end'], ['end']])
      })
    }

    it('gives an error behind the chunks that came before it, however often it is asked', async () => {
      const source = await open(SOME, new Error('broken'))
      const { bytes, outcome } = await readAll(source)
      assert.equal(outcome.message, 'broken')
      assert.ok(bytes.equals(Buffer.concat(SOME).subarray(0, bytes.length)))
      if (!HOLDS_BACK.test(name)) assert.equal(bytes.length, 4 * 65_536)
      assert.deepEqual([readOnce(source), readOnce(source)], [['broken'], ['broken']])
    })

    it('gives nothing while nobody waits, and loses nothing', async () => {
      const source = await open(SOME, END)
      const first = readOnce(source)
      await isAnswered(first)
      await settle()
      assert.deepEqual(first, ['chunk'])
      const { bytes, outcome } = await readAll(source)
      assert.equal(outcome, null)
      assert.ok(Buffer.concat(SOME).subarray(-bytes.length).equals(bytes))
      assert.equal(source.received, 4 * 65_536)
    })

    it('gives a second reader an error, and the first one its chunk', async () => {
      const source = await open([], OPEN)
      const first = readOnce(source)
      assert.deepEqual(first, [])
      assert.deepEqual(readOnce(source), ['a body is read by two readers'])
      source.stop()
      assert.deepEqual(first, ['end'])
    })

    it('gives what a reader throws to that reader, once', async () => {
      const source = await open(SOME, END)
      const errors = []
      await new Promise((resolve) => source.read(() => { throw new RangeError('no memory') }, (error) => {
        errors.push(error.message)
        resolve()
      }))
      await settle()
      assert.deepEqual(errors, ['no memory'])
      source.stop()
    })

    for (const [how, chunks, rest] of [['has chunks', SOME, END], ['fails', [], new Error('broken')]]) {
      describe(`whose body ${how}, stopped`, () => {
        for (const [fault, answer] of [[undefined, 'end'], [new Error('left'), 'left']]) {
          it(`before it was read, ${fault ? 'with' : 'without'} a fault`, async () => {
            const source = await open(chunks, rest)
            await settle()
            if (source.isOver) return // there is nothing to be stopped
            source.stop(fault)
            assert.deepEqual(readOnce(source), [answer])
            await settle()
            assert.deepEqual(readOnce(source), [answer])
          })

          it(`while somebody waits, ${fault ? 'with' : 'without'} a fault`, async () => {
            const source = await open(chunks, OPEN)
            if (chunks.length > 0) await readAll(source, 1)
            let answers = readOnce(source)
            while (answers.length > 0) answers = readOnce(source)
            source.stop(fault)
            assert.deepEqual(answers, [answer])
            await settle()
            assert.deepEqual([answers, readOnce(source)], [[answer], [answer]])
          })

          it(`from within its callback, ${fault ? 'with' : 'without'} a fault`, async () => {
            const source = await open(chunks, rest)
            const answers = []
            await new Promise((resolve) => {
              const stop = (what) => {
                answers.push(what)
                source.stop(fault)
                resolve()
              }
              source.read(() => stop('chunk'), () => stop('error'))
            })
            await settle()
            assert.equal(answers.length, 1)
            assert.deepEqual(readOnce(source), [source.fault === null ? 'end' : source.fault.message])
          })
        }

        it('after it is over, which changes nothing', async () => {
          const source = await open(chunks, rest)
          const { outcome } = await readAll(source)
          source.stop(new Error('late'))
          assert.deepEqual(readOnce(source), [outcome === null ? 'end' : 'broken'])
        })
      })
    }
  })
}

describe('a source of bytes that are there', () => {
  it('does not give less than has come, if other code has taken the memory of what was kept', async () => {
    for (const taken of [0, 1]) {
      for (const how of [END, OPEN]) {
        const chunks = [1, 2].map((size) => new Uint8Array(size))
        const source = pushed(chunks, how)
        structuredClone(chunks[taken], { transfer: [chunks[taken].buffer] })
        const { bytes, outcome } = await readAll(source)
        assert.deepEqual([bytes.length, outcome.type], [taken, 'stream.not.readable'])
      }
    }
  })

  it('loses what it has kept when it is stopped, and does not end as if it were whole', () => {
    const source = pushed(SOME, END)
    source.stop(new Error('left'))
    assert.deepEqual(readOnce(source), ['left'])
  })

  it('keeps none of the chunks that it has given', async () => {
    const source = pushed(Array.from({ length: 3000 }, (_, i) => Buffer.of(i)), END)
    for (let read = 1; read <= 3000; read++) {
      await source.pull()
      assert.equal(source.queue.filter((chunk) => chunk !== null).length, 3000 - read)
    }
    assert.equal(source.queue.length, 0)
  })

  it('needs no stack for chunks that come at once', async () => {
    for (const open of [asked, pushed]) {
      const { bytes } = await readAll(open(Array(10_000).fill(Buffer.of(1)), END))
      assert.equal(bytes.length, 10_000)
    }
  })
})

/** A decoder that emits what it likes, whenever it likes, as those of Bun and Deno do after they were destroyed. */
function openConfused () {
  const decoder = new Duplex({ read () {}, write: (chunk, encoding, done) => done(), autoDestroy: false })
  const body = asked([Buffer.of(1), Buffer.of(2), Buffer.of(3)], OPEN)
  return { body, decoder, source: new DecodedSource(body, decoder) }
}

describe('a decoder that emits data, its end and errors when nobody expects it', () => {
  const emissions = [['data', Buffer.of(9)], ['end'], ['error', new Error('late')], ['drain'], ['close']]
  const emitAll = (decoder) => { for (const emission of emissions) decoder.emit(...emission) }

  it('reaches nobody once it was stopped, before, while or after somebody waits', () => {
    for (const waits of [0, 1]) {
      const { decoder, source } = openConfused()
      const answers = waits ? readOnce(source) : []
      source.stop()
      emitAll(decoder)
      assert.deepEqual(answers, waits ? ['end'] : [])
      assert.deepEqual([readOnce(source), source.received], [['end'], 0])
    }
  })

  it('reaches nobody once it has ended or failed', () => {
    for (const [emission, answer] of [[['end'], 'end'], [['error', new Error('broken')], 'broken']]) {
      const { decoder, source } = openConfused()
      const answers = readOnce(source)
      decoder.emit(...emission)
      emitAll(decoder)
      assert.deepEqual([answers, readOnce(source), source.received], [[answer], [answer], 0])
    }
  })

  it('loses nothing while nobody waits, although it does not pause', () => {
    const { decoder, source } = openConfused()
    const answers = readOnce(source)
    for (let i = 0; i < 3; i++) decoder.emit('data', Buffer.of(i))
    decoder.emit('end')
    emitAll(decoder)
    assert.deepEqual([answers, source.received, decoder.isPaused()], [['chunk'], 3, true])
    assert.deepEqual(Array.from({ length: 4 }, () => readOnce(source)), [['chunk'], ['chunk'], ['end'], ['end']])
  })

  it('leaves the rest of its body to be read off', async () => {
    const { body, source } = openConfused()
    readOnce(source)
    source.stop()
    assert.deepEqual(readOnce(body), [])
    body.give(Buffer.of(4))
    assert.equal(body.onChunk, null)
  })
})
