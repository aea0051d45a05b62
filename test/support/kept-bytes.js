'use strict'

// A process of its own: node --expose-gc kept-bytes.js prints, for each way to
// read a body, how many bytes of it are still there, on average, after the
// request and two collections of young garbage.

const http = require('node:http')
const net = require('node:net')
const bodyParser = require('../..')
const multer = require('../../lib/types/multer')
const web = require('../../lib/web')
const { serializeRequest } = require('../../tools/http-message')
const { TYPE, form: formOf, iterate } = require('./upload')
const { post } = require('./web-request')

const SIZE = 100_000
const REQUESTS = 20
const WARM = 5
const ANY = { type: () => true, limit: '1mb' }

const text = 'x'.repeat(SIZE)
const form = formOf(['f', text, 'f'])
const array = Buffer.from(JSON.stringify([text]))
const formType = { 'content-type': TYPE }

const readParts = (parser) => iterate(parser, async (parts) => {
  for await (const part of parts) part.resume?.()
})

/** Way -> [middleware, body, headers]. */
const ways = {
  raw: [bodyParser.raw(ANY), Buffer.from(text)],
  text: [bodyParser.text(ANY), Buffer.from(text)],
  'json, with a timeout': [bodyParser.json({ ...ANY, timeout: 60_000 }), array],
  'json, cooperative': [bodyParser.json({ ...ANY, cooperative: { threshold: 10 } }), array],
  'multipart, to memory': [bodyParser.multipart({ limit: '1mb' }), form, formType],
  'multipart, to a function': [bodyParser.multipart({ store: async (file) => { file.resume() } }), form, formType],
  'multipart, part by part': [readParts(bodyParser.multipart()), form, formType],
  'the drop-in for multer': [multer({ storage: multer.memoryStorage() }).any(), form, formType]
}

/** @param {(act: () => Promise<void>) => Promise<number>} use sends a request by each call of `act` */
async function serve ([middleware, body, headers = {}], use) {
  const server = http.createServer((req, res) => middleware(req, res, (error) => {
    res.statusCode = error ? 500 : 200
    res.end()
  }))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = net.connect(server.address().port, '127.0.0.1')
  const message = serializeRequest({ headers, body })
  const kept = await use(async () => {
    const response = new Promise((resolve) => client.once('data', resolve))
    client.write(message)
    if (!String(await response).includes(' 200 ')) throw new Error('not accepted')
  })
  client.destroy()
  server.close()
  return kept
}

function requestOf () {
  let at = 0
  const body = new ReadableStream({
    pull (controller) {
      if (at >= form.length) controller.close()
      else controller.enqueue(Uint8Array.from(form.subarray(at, at += 65_536)))
    }
  }, { highWaterMark: 0 })
  return post(body, formType)
}

async function measure (act) {
  let before
  for (let count = -WARM; count < REQUESTS; count++) {
    await act()
    await new Promise(setImmediate)
    globalThis.gc({ type: 'minor' })
    if (count === -1) before = process.memoryUsage().arrayBuffers
  }
  globalThis.gc({ type: 'minor' })
  return Math.round((process.memoryUsage().arrayBuffers - before) / REQUESTS)
}

async function main () {
  const kept = {}
  for (const [way, row] of Object.entries(ways)) kept[way] = await serve(row, measure)
  const readForm = web.multipart({ limit: '1mb' })
  kept['multipart of /web'] = await measure(() => readForm(requestOf()))
  console.log(JSON.stringify(kept))
}

main()
