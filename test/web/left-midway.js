'use strict'

// Coded bodies that are refused or left midway: their decoder goes on for a
// while, and nobody waits for what it gives.

const assert = require('node:assert/strict')
const { randomBytes } = require('node:crypto')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const web = require('fast-body-parser/web')
const { CODERS_OF_WEB } = require('../support/coders')
const within = require('../support/within')

const SIZE = 300_000 // bytes of a body, which is hardly smaller when it is coded
const PIECE = 65_536

const digits = (size) => randomBytes(size / 2).toString('hex')
const records = Array.from({ length: 300 }, () => `{"a":"${digits(SIZE / 300)}"}`)
const BODIES = {
  form: ['multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n${digits(SIZE)}\r\n--b--\r\n`],
  ndjson: ['application/x-ndjson', records.join('\n')]
}

async function slowly (file) {
  let pauses = 3
  for await (const chunk of file) if (chunk.length > 0 && pauses-- > 0) await delay(5)
}

async function readSlowly (loop) {
  let pauses = 3
  for await (const item of loop) {
    if (item.stream !== undefined) await slowly(item.stream)
    else if (pauses-- > 0) await delay(5)
  }
}

async function leave (loop) {
  for await (const item of loop) if (item) break
}

const TOO_LARGE = { status: 413 }
const LEFT = { type: 'request.aborted' }
const LIMIT = { limit: SIZE / 2 }
const OWN = { message: 'of the store' }
const untilAborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve))
async function fail () { throw new Error('of the store') }

/** What reads a request, of which `abort` tells that its client leaves; and its error. */
const ROWS = {
  'a form over its limit, into a slow store': ['form', (request) =>
    web.multipart({ ...LIMIT, store: slowly })(request), TOO_LARGE],
  'a form whose store fails at once': ['form', (request) => web.multipart({ store: fail })(request), OWN],
  'a form whose client leaves a store that reads': ['form', (request, abort) =>
    web.multipart({
      store: (file, { signal }) => Promise.all([untilAborted(signal), leave(file).then(abort)])
    })(request), LEFT],
  'parts over the limit, read slowly': ['form', (request) =>
    readSlowly(web.multipart(LIMIT).parts(request)), TOO_LARGE],
  'parts that are left': ['form', (request) => leave(web.multipart().parts(request))],
  'ndjson over its limit, read slowly': ['ndjson', (request) => readSlowly(web.ndjson(LIMIT)(request)), TOO_LARGE],
  'ndjson that is left': ['ndjson', (request) => leave(web.ndjson()(request))],
  'ndjson whose client leaves': ['ndjson', (request, abort) => leaveBehind(web.ndjson()(request), abort), LEFT]
}

async function leaveBehind (loop, abort) {
  for await (const item of loop) abort(item)
}

const kept = new Map() // coded bodies

function code (body, coding) {
  const key = `${body} ${coding}`
  if (!kept.has(key)) kept.set(key, CODERS_OF_WEB[coding](BODIES[body][1]))
  return kept.get(key)
}

/** Of a body whose end never comes, if it stays open. */
function post (body, coding, isOpen, { signal }) {
  const [type] = BODIES[body]
  const coded = code(body, coding)
  let at = 0
  const stream = new ReadableStream({
    async pull (controller) {
      await turn()
      if (at < coded.length) controller.enqueue(new Uint8Array(coded.subarray(at, at += PIECE)))
      else if (!isOpen) controller.close()
    }
  })
  const headers = { 'content-type': type, 'content-encoding': coding }
  return new Request('http://localhost/', { method: 'POST', headers, body: stream, duplex: 'half', signal })
}

/** As before Node 20.16, and in runtimes that have no zlib. */
const withoutModules = (act) => within(process, { getBuiltinModule: undefined }, act)

async function check (what, coding) {
  const [body, read, error] = ROWS[what]
  const isOpen = error === LEFT // one that has come whole is read on, and the drain of one that never ends waits
  const controller = new AbortController()
  const reading = read(post(body, coding, isOpen, controller), () => controller.abort())
  if (error === undefined) await reading
  else await assert.rejects(reading, error)
  for (let i = 0; i < 20; i++) await turn() // an event of a decoder would end the process
}

describe('fast-body-parser/web, coded bodies that are refused or left midway', () => {
  for (const what of Object.keys(ROWS)) {
    for (const coding of Object.keys(CODERS_OF_WEB)) {
      it(`${what}, in ${coding}`, () => check(what, coding))
      if (['gzip', 'deflate'].includes(coding)) {
        it(`${what}, in ${coding} without zlib`, () => withoutModules(() => check(what, coding)))
      }
    }
  }
})
