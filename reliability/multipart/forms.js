'use strict'

// Reads back random forms: `node reliability/multipart/forms.js [count] [seed]`.
// A form that is not read as it was written is printed with its seed.

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { multipart } = require('../..')
const { expectedOf, randomForm } = require('../../test/support/random-form')

if (process.argv.includes('--help')) {
  console.log('npm run fuzz:multipart -- [forms] [seed]\n\nReads back so many random forms (100000), from that seed on (0).\nExit status: 0 if all are read as they were written.')
  process.exit()
}
const [count = 100_000, first = 0] = process.argv.slice(2).map(Number)
const parser = multipart({ limit: '10mb', fields: { max: 1000 }, files: { '*': { max: 1000 } } })

function read ({ boundary, pieces }) {
  const req = Object.assign(Readable.from(pieces, { objectMode: false }), { headers: { 'content-type': `multipart/form-data; boundary="${boundary}"`, 'transfer-encoding': 'chunked' } })
  return new Promise((resolve, reject) => parser(req, {}, (error) => error ? reject(error) : resolve(req)))
}

async function run () {
  let parts = 0
  let bytes = 0
  for (let seed = first; seed < first + count; seed++) {
    const form = randomForm(seed)
    try {
      const { body, files } = await read(form)
      const found = {
        body: Object.fromEntries(Object.entries(body).map(([name, values]) => [name, [values].flat()])),
        files: Object.fromEntries(Object.entries(files).map(([name, files]) => [name, files.map(({ name, type, bytes }) => ({ name, type, hex: bytes.toString('hex') }))]))
      }
      assert.deepEqual(found, expectedOf(form.parts))
    } catch (error) {
      console.log(`seed ${seed}: ${error.message}`)
      process.exitCode = 1
    }
    parts += form.parts.length
    bytes += form.body.length
  }
  console.log(`${count} forms of ${parts} parts, ${bytes} bytes, read back`)
}

run()
