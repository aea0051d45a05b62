'use strict'

// Ways to read the body of a Request: WAY is how, and the kind of body, such as `native json`.

const { promisify } = require('node:util')
const zlib = require('node:zlib')
const web = require('../../lib/web')

const LIMIT = 1024 * 1024 // bytes
const gunzip = promisify(zlib.gunzip)

/** What people write without a parser. */
const native = {
  json: (request) => request.json(),
  raw: async (request) => new Uint8Array(await request.arrayBuffer()),
  text: (request) => request.text(),
  urlencoded: async (request) => Object.fromEntries(new URLSearchParams(await request.text()))
}

/** With the least that a limit, the codings, the media type and a body that was cut off need. */
async function readChecked (request) {
  const { headers } = request
  const length = Number(headers.get('content-length'))
  const coding = headers.get('content-encoding') ?? 'identity'
  const isOurs = headers.get('content-type')?.startsWith('application/json') && length <= LIMIT && coding === 'identity'
  if (!isOurs) throw new Error('not this one')
  const text = await request.text()
  if (Buffer.byteLength(text) !== length) throw new Error('cut off')
  return JSON.parse(text)
}

/** JSON chunk by chunk, with a limit, as a careful handler reads it. */
async function readByHand (request) {
  const reader = request.body.getReader()
  const chunks = []
  let size = 0
  for (let result; !(result = await reader.read()).done;) {
    size += result.value.length
    if (size > LIMIT) throw new Error('too large')
    chunks.push(result.value)
  }
  const joined = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  const isCoded = request.headers.get('content-encoding') === 'gzip'
  const bytes = isCoded ? await gunzip(joined, { maxOutputLength: LIMIT }) : joined
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** Each makes a reader of a kind of body. @type {Record<string, (kind: string) => (request: Request) => Promise>} */
const bodies = {
  native: (kind) => native[kind],
  byText: () => async (request) => JSON.parse(await request.text()), // as a parser has to that checks the text
  checked: () => readChecked,
  byHand: () => readByHand,
  ours: (kind) => web[kind]({ limit: LIMIT })
}

exports.serve = (way) => {
  const [how, kind] = way.split(' ')
  const read = bodies[how](kind)
  return async (request) => {
    if (await read(request) === undefined) throw new Error('nothing was read')
  }
}
