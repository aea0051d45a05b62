'use strict'

// What the clients send, and what the app must read of it.

const zlib = require('node:zlib')
const { createRandom } = require('../../tools/random')

const random = createRandom(2)
const letters = (length) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')

/** The large file does not fit into the buffers between client and app, the small ones do. */
const files = {
  small: Buffer.from(letters(1000)),
  large: Buffer.from(letters(160_000)),
  last: Buffer.from(letters(500))
}
const fields = { before: letters(10), between: letters(10) }

const header = (name, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
const field = (name) => Buffer.from(`${header(name)}${fields[name]}\r\n`)
const file = (name) => Buffer.concat([Buffer.from(header(name, '; filename="f"')), files[name], Buffer.from('\r\n')])

const records = Array.from({ length: 1000 }, (_, n) => ({ n, letters: letters(100) }))
const lines = records.map((record) => `${JSON.stringify(record)}\n`)
const document = { letters: letters(20_000) }

const form = (...parts) =>
  ({ type: 'multipart/form-data; boundary=b', bytes: Buffer.concat([...parts, Buffer.from('--b--')]) })

/** @type {Record<string, { type: string, bytes: Buffer }>} */
const bodies = {
  form: form(field('before'), file('small'), file('large'), field('between'), file('last')),
  'form, files last': form(field('before'), field('between'), file('small'), file('large'), file('last')),
  records: { type: 'application/x-ndjson', bytes: Buffer.from(lines.join('')) },
  items: { type: 'application/json', bytes: Buffer.from(JSON.stringify(records)) },
  document: { type: 'application/json', bytes: Buffer.from(JSON.stringify(document)) },
  'another type': { type: 'text/plain', bytes: Buffer.from(letters(1000)) }
}
for (const body of Object.values(bodies)) body.gzip = zlib.gzipSync(body.bytes)

module.exports = { bodies, document, fields, files, records }
