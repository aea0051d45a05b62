'use strict'

// What a loop, parts or a handler of the app is to read, no parser behind it
// reads: whichever it is, and of whichever copy of this package.

const assert = require('node:assert/strict')
const bodyParser = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const loadCopy = require('../../support/load-copy')
const { form, upload } = require('../../support/upload')

const type = () => true
const other = loadCopy('2.4.101')

/** Of each copy: a parser behind the one that has claimed the request, which would take any body. */
const FOLLOWERS = [
  ['', bodyParser, multer],
  ['of another copy ', other(), other('lib/types/multer')]
].flatMap(([copy, own, ownMulter]) => [
  ['json', own.json({ type })],
  ['json with buffered', own.json({ type, buffered: true })],
  ['multipart', own.multipart({ type })],
  ['ndjson', own.ndjson({ type })],
  ['read of text', promised(own.text({ type }).read)],
  ['read of ndjson', promised((req, res) => own.ndjson({ type }).read(req, res).catch(assertLeft))],
  ['multer', ownMulter().any()]
].map(([name, parser]) => [copy + name, parser]))

function promised (read) {
  return (req, res, next) => { read(req, res).then(() => next(), next) }
}

/** There are no records to give, if what has claimed the request gives others. */
function assertLeft ({ type }) {
  assert.equal(type, 'stream.not.readable')
}

/** Each middleware after the other. */
const stack = (...middlewares) => (req, res, done) => {
  let index = 0
  const next = (error) =>
    error !== undefined || index === middlewares.length ? done(error) : middlewares[index++](req, res, next)
  next()
}

async function collect (items) {
  const all = []
  for await (const item of items) all.push(item)
  return all
}

const body = form(['a', '1'], ['f', 'hello', 'x'])
const RECORDS = { headers: { 'Content-Type': 'application/x-ndjson' } }
const readRecords = ({ body }) => collect(body)
const readParts = async ({ parts }) => (await collect(parts)).map(({ field }) => field)

describe('a request that is claimed', () => {
  for (const [name, follower] of FOLLOWERS) {
    it(`by a loop over records is left alone by ${name}`, async () => {
      for (const chunked of [false, true]) {
        const seen = await upload(stack(bodyParser.ndjson(), follower), ['{"a":1}\n', '{"a":2}\n'],
          { ...RECORDS, chunked, handle: readRecords })
        assert.deepEqual([seen.error, seen.thrown, seen.handled], [undefined, undefined, [{ a: 1 }, { a: 2 }]])
      }
    })

    it(`by parts is left alone by ${name}, before the first part is asked for`, async () => {
      const { parts } = bodyParser.multipart()
      const open = (req, res, next) => { req.parts = parts(req, res); next() }
      const seen = await upload(stack(open, follower), body, { handle: readParts })
      assert.deepEqual([seen.error, seen.thrown, seen.handled], [undefined, undefined, ['a', 'f']])
    })
  }

  for (const [name, follower] of FOLLOWERS.filter(([name]) => !name.endsWith('multer'))) {
    it(`by a handler is left alone by ${name}`, async () => {
      let handler
      const streamHandler = (req, stream) => { handler = () => req.pipe(stream) }
      const handle = multer({ streamHandler }).any()
      const both = (req, res, done) => {
        const outcomes = []
        const next = (error) => { if (outcomes.push(error) === 2) done(outcomes.find(Boolean)) }
        handle(req, res, next)
        follower(req, res, next)
        handler()
      }
      const seen = await upload(both, body)
      assert.deepEqual([seen.error, String(seen.files?.[0]?.buffer ?? seen.files?.f?.[0]?.buffer)],
        [undefined, 'hello'])
    })
  }

  it('gives the records to read', async () => {
    const handle = async (req, res) => {
      const records = await bodyParser.text({ type }).read(req, res)
      return [records === req.body, await collect(records)]
    }
    const seen = await upload(bodyParser.ndjson(), '[1]\n[2]', { ...RECORDS, handle })
    assert.deepEqual(seen.handled, [true, [[1], [2]]])
  })

  it('is an error for other parts', async () => {
    for (const { multipart } of [bodyParser, other()]) {
      const handle = async (req, res) => {
        const [first, second] = [bodyParser.multipart().parts(req, res), multipart().parts(req, res)]
        await assert.rejects(collect(second), { status: 500, type: 'stream.not.readable' })
        return (await collect(first)).length
      }
      assert.equal((await upload((req, res, next) => next(), body, { handle })).handled, 2)
    }
  })
})

describe('a request that is not claimed', () => {
  it('is one of another type, for parts that are asked later', async () => {
    const open = (req, res, next) => { req.parts = bodyParser.multipart().parts(req, res); next() }
    const seen = await upload(stack(open, bodyParser.json()), '{"a":1}', {
      headers: { 'Content-Type': 'application/json' }
    })
    assert.deepEqual(seen.body, { a: 1 })
  })
})
