'use strict'

// Promises that the app gets and does not await at once, or never: Node ends the
// process for a rejection that nobody handles by the end of the turn.

const assert = require('node:assert/strict')
const { setImmediate: turn } = require('node:timers/promises')
const { json, jsonArray, multipart, ndjson, text, urlencoded } = require('fast-body-parser')
const parseInSlices = require('fast-body-parser/json-slices')
const web = require('fast-body-parser/web')
const useFolder = require('../support/folder')
const { form, upload } = require('../support/upload')

const buffered = true
const request = (type, body) => [{ headers: { 'content-type': type }, body }, {}]
const BAD_JSON = request('application/json', '{')
const FORM = 'multipart/form-data; boundary=b'
const webRequest = (type) =>
  new Request('http://test', { method: 'POST', headers: { 'content-type': type }, body: '{' })

async function records (size) {
  const body = await ndjson({ buffered }).read(...request('application/x-ndjson', '{'))
  return size === undefined ? body[Symbol.asyncIterator]() : body.batches(size)[Symbol.asyncIterator]()
}

/** @returns {Promise<[Promise<unknown>]>} of the item behind the first one, which is one too many */
async function itemBeyondMax () {
  const reviver = (key, value) => value === 2 ? Promise.reject(new Error('of the app')) : value
  const body = await jsonArray({ buffered, max: 1, reviver }).read(...request('application/json', '[1,2]'))
  const loop = body[Symbol.asyncIterator]()
  await loop.next()
  return [loop.next()]
}

async function diskFile (folder) {
  const store = multipart.disk(folder.at())
  const [req, res] = request(FORM, form(['f', 'x', 'f']))
  await new Promise((resolve) => multipart({ buffered, store, files: { f: {} } })(req, res, resolve))
  return req.files.f[0]
}

/** [what, () => a list of the promise, which may take time] */
const rows = [
  ['read', () => [json({ buffered }).read(...BAD_JSON)]],
  ['read of what is not a request', () => [json().read({})]],
  ['read of web', () => [web.json()(webRequest('application/json'))]],
  ['read of web of what is not a Request', () => [web.json()({})]],
  ['firstOf of web', () => [web.firstOf(web.json())(webRequest('text/xml'))]],
  ['a form of web', () => [web.multipart()(webRequest(FORM))]],
  ['parts of web', () => [web.multipart().parts(webRequest(FORM)).next()]],
  ['a loop over records', async () => [(await records()).next()]],
  ['a loop over lists of records', async () => [(await records(5)).next()]],
  ['a loop over records that is told an error', async () => [(await records()).throw(new Error('of the app'))]],
  ['a loop over records that is left with a promise',
    async () => [(await records()).return(Promise.reject(new Error('of the app')))]],
  ['a loop over records of web',
    () => [web.ndjson()(webRequest('application/x-ndjson'))[Symbol.asyncIterator]().next()]],
  ['an item beyond `max`, that a reviver has made', itemBeyondMax],
  ['parts', () => [multipart({ buffered }).parts(...request(FORM, 'x')).next()]],
  ['parts that are told an error', () => [multipart().parts(...request(FORM, 'x')).throw(new Error('of the app'))]],
  ['parts that are left with a promise',
    () => [multipart().parts(...request(FORM, 'x')).return(Promise.reject(new Error('of the app')))]],
  ['JSON in slices', () => [parseInSlices('{')]],
  ['keep of a file', async (folder) => [(await diskFile(folder)).keep(folder.at('missing/missing'))]]
]

describe('a promise that is rejected before the app awaits it', () => {
  const folder = useFolder()
  let unhandled

  beforeEach(() => {
    unhandled = []
    process.on('unhandledRejection', note)
  })

  afterEach(() => process.removeListener('unhandledRejection', note))

  function note (error) {
    unhandled.push(error)
  }

  for (const [what, act] of rows) {
    it(`does not end the process, of ${what}`, async () => {
      const [promise] = await act(folder)
      for (let i = 0; i < 20; i++) await turn()
      await assert.rejects(promise)
      assert.deepEqual(unhandled, [])
    })
  }

  it('does not end the process, of a second parser that the first one has failed before', async () => {
    const handle = async (req, res) => {
      const [first, second] = [json().read(req, res), urlencoded().read(req, res)]
      await assert.rejects(first, { type: 'entity.parse.failed' })
      for (let i = 0; i < 5; i++) await turn()
      await assert.rejects(second, { type: 'entity.parse.failed' })
      assert.rejects(text().read(req, res))
    }
    await upload((req, res, next) => next(), '{', { headers: { 'Content-Type': 'application/json' }, handle })
    assert.deepEqual(unhandled, [])
  })
})
