'use strict'

// Why the one-shot lane of lib/core/inflate.js is bounded as it is: how long one
// call into zlib can hold the event loop, and from which size on a stream is
// as cheap. `node bench/studies/inflate.js`, a minute.

require('../packages')()

const { finished } = require('node:stream/promises')
const zlib = require('node:zlib')
const { findCoding } = require('../../lib/core/inflate')
const { runCommand } = require('../../tools/command-line')
const { createRandom, below } = require('../../tools/random')
const { summarize } = require('../../tools/statistics')
const textTable = require('../../tools/text-table')
const { json } = require('../rows/bodies')
const adversarial = require('../../tools/adversarial-bodies')

const KIB = 1024 // bytes
const CODED = [1, 2, 4, 8, 16, 32].map((size) => size * KIB)
const DECODED = [64, 128, 256, 512].map((size) => size * KIB)
const CALLS = 15
const QUICK_CALLS = 1
const draw = (head, rows) => textTable(head, rows, { border: true })

const CODECS = {
  gzip: [zlib.gzipSync, zlib.gunzipSync, zlib.createGunzip],
  deflate: [zlib.deflateSync, zlib.inflateSync, zlib.createInflate],
  br: [zlib.brotliCompressSync, zlib.brotliDecompressSync, zlib.createBrotliDecompress],
  zstd: [zlib.zstdCompressSync, zlib.zstdDecompressSync, zlib.createZstdDecompress]
}
const present = Object.keys(CODECS).filter((coding) => CODECS[coding][0] !== undefined)

/** Random numbers below `most`, the same every time. */
function noise (bytes, most) {
  const random = createRandom(1)
  return Buffer.from(Array.from({ length: bytes }, () => below(most, random)))
}

const LONGEST = 512 * KIB
const FAST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }
const TWO = noise(LONGEST, 2)
const SIXTEEN = noise(LONGEST, 16)
const CONTENTS = {
  'the same byte': (bytes) => Buffer.alloc(bytes),
  'two bytes, at random': (bytes) => TWO.subarray(0, bytes),
  'sixteen bytes, at random': (bytes) => SIXTEEN.subarray(0, bytes),
  JSON: (bytes) => json(bytes).bytes
}

const encoded = new Map()

/** Remembers encoded bodies: all tables use the same few. */
function encoderOf (coding) {
  const [encode] = CODECS[coding]
  return (plain) => {
    const key = `${coding} ${plain.length} ${plain.subarray(0, 64).toString('hex')}`
    if (!encoded.has(key)) encoded.set(key, coding === 'br' ? encode(plain, FAST) : encode(plain))
    return encoded.get(key)
  }
}

/**
 * Bodies of at most `size` bytes: the start of a long one, and whole ones that
 * decode to `most` bytes.
 */
function bodies (coding, size, most) {
  const encode = encoderOf(coding)
  const list = []
  for (const [name, make] of Object.entries(CONTENTS)) {
    list.push([name, encode(make(LONGEST)).subarray(0, size)])
    const whole = encode(make(most))
    if (whole.length <= size) list.push([name, whole])
  }
  if (coding === 'gzip') list.push(['empty members', adversarial.gzipMembers(size)])
  if (coding === 'deflate') list.push(['empty blocks with tables', adversarial.deflateTables(size)])
  if (coding === 'br') list.push(['context maps', adversarial.brotliMaps(size)], ['largest window', adversarial.brotliWindow()])
  if (coding === 'zstd') list.push(['empty frames', adversarial.zstdFrames(size)])
  return list
}

/** ms that one call takes; truncated bodies and bombs end in errors, which take as long. */
function hold (decode, bytes, maxOutputLength, calls) {
  const times = []
  for (let call = 0; call < calls; call++) {
    const start = performance.now()
    try {
      decode(bytes, { maxOutputLength })
    } catch {}
    times.push(performance.now() - start)
  }
  return summarize(times).min
}

/** The dearest body of each size among those that lib/ decodes in one call. */
function worstTable (coding, calls) {
  const [, decode] = CODECS[coding]
  const head = [`${coding}: ms, at worst`, ...DECODED.map((size) => `to ${size / KIB} KiB`), 'by']
  return draw(head, CODED.map((size) => {
    let worst = { name: '' }
    const cells = DECODED.map((most) => {
      const list = bodies(coding, size, most).filter(([, bytes]) => isBounded(coding, bytes))
      if (list.length === 0) return 'by a stream'
      const times = list.map(([name, bytes]) => ({ name, time: hold(decode, bytes, most, calls) }))
      worst = times.reduce((a, b) => a.time > b.time ? a : b)
      return worst.time.toFixed(2)
    })
    return [`from ${size / KIB} KiB`, ...cells, worst.name]
  }))
}

function isBounded (coding, bytes) {
  return findCoding(coding).isBounded(bytes)
}

/** Bodies that lib/ leaves to a stream however short they are, and the time in one call that this saves. */
function streamedTable (coding, calls) {
  const [, decode] = CODECS[coding]
  const streamed = bodies(coding, 16 * KIB, 256 * KIB).filter(([, bytes]) => !isBounded(coding, bytes))
  const list = [...new Map(streamed)]
  if (list.length === 0) return null
  return draw([`${coding}: always by a stream`, 'bytes', 'ms in one call'], list.map(([name, bytes]) =>
    [name, bytes.length, hold(decode, bytes, 256 * KIB, calls).toFixed(2)]))
}

async function stream (create, bytes) {
  const decoder = create()
  const chunks = []
  decoder.on('data', (chunk) => chunks.push(chunk))
  decoder.end(bytes)
  await finished(decoder)
  return Buffer.concat(chunks)
}

/** µs for one JSON body, in one call and by a stream, in turn. */
async function compare (coding, size, calls) {
  const [encode, decode, create] = CODECS[coding]
  const bytes = encode(json(size).bytes)
  const times = { once: [], stream: [] }
  for (let call = 0; call < 10 * calls; call++) {
    const start = performance.now()
    decode(bytes, { maxOutputLength: 2 * size })
    const middle = performance.now()
    await stream(create, bytes)
    times.once.push(1000 * (middle - start))
    times.stream.push(1000 * (performance.now() - middle))
  }
  const cell = (list) => `${summarize(list).min.toFixed(0)} (${summarize(list).median.toFixed(0)})`
  return [`${coding}, ${size / 1000} KB from ${bytes.length} B`, cell(times.once), cell(times.stream)]
}

async function main (calls) {
  console.log(`Node ${process.version}; the least of ${calls} calls`)
  for (const coding of present) {
    console.log(worstTable(coding, calls))
    const streamed = streamedTable(coding, calls)
    if (streamed !== null) console.log(streamed)
  }
  const lines = []
  for (const coding of present) {
    for (const size of [300, 6558, 60000, 120000, 240000]) lines.push(await compare(coding, size, calls))
  }
  console.log(draw(['µs: minimum (median)', 'one call', 'stream'], lines))
}

runCommand({
  usage: 'How long one call into zlib can hold the event loop, and a stream beside it.\n\n  node bench/studies/inflate.js\n',
  options: { quick: { help: 'a first look' } },
  run: ({ values: { quick } }) => main(quick ? QUICK_CALLS : CALLS)
})
