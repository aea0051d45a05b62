'use strict'

// What a loop over `req.body` of ndjson gets, over a real connection.

const { Readable } = require('node:stream')
const { shown, upload } = require('./upload')

const NDJSON = 'application/x-ndjson'

/** What ndjson takes by default. */
const TYPES = [
  NDJSON, 'application/ndjson', 'application/jsonl', 'application/x-jsonl', 'text/jsonl', 'application/jsonlines',
  'application/x-jsonlines', 'application/json-seq'
]

/** Sends a body, in one piece or in several, for a loop. `size`: of batches; `error`: of `next`, or of the loop. */
async function loop (parser, body, { headers, size, handle, ...message } = {}) {
  const items = []
  const readAll = async ({ body }) => {
    for await (const item of size === undefined ? body : body.batches(size)) items.push(item)
  }
  const seen = await upload(parser, [body].flat().map((piece) => Buffer.from(piece)), {
    ...message,
    headers: { 'Content-Type': NDJSON, ...headers },
    handle: (req, res, error) => error === undefined ? (handle ?? readAll)(req, res) : undefined
  })
  return { ...seen, items, error: seen.error ?? seen.thrown }
}

/** A request that is no more than a stream with a header. */
const requestOf = (chunks, headers) => Object.assign(Readable.from(chunks), {
  headers: { 'content-type': NDJSON, 'transfer-encoding': 'chunked', ...headers }
})

/** All that a loop gives. */
async function collect (records) {
  const items = []
  for await (const item of records) items.push(item)
  return items
}

module.exports = { collect, loop, requestOf, shown, NDJSON, TYPES }
