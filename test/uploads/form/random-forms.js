'use strict'

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { multipart } = require('../../../')
const { expectedOf, randomForm } = require('../../support/random-form')

// FUZZ_RUNS=100000 draws more forms and cuts, FUZZ_SEED others.
const RUNS = Number(process.env.FUZZ_RUNS) || 0
const SEED = Number(process.env.FUZZ_SEED) || 0

const parser = multipart({ limit: '10mb', fields: { max: 1000 }, files: { '*': { max: 1000 } } })

function read ({ boundary, pieces }) {
  const req = Object.assign(Readable.from(pieces, { objectMode: false }), {
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"`, 'transfer-encoding': 'chunked' }
  })
  return new Promise((resolve, reject) => parser(req, {}, (error) => error ? reject(error) : resolve(req)))
}

describe('random forms', function () {
  this.timeout(60_000 + 10 * RUNS)

  it('are read back as they were written', async () => {
    for (let seed = SEED; seed < SEED + (RUNS || 100); seed++) {
      const form = randomForm(seed)
      const { body, files } = await read(form)
      const found = {
        body: Object.fromEntries(Object.entries(body).map(([name, values]) => [name, [values].flat()])),
        files: Object.fromEntries(Object.entries(files).map(([name, files]) =>
          [name, files.map(({ name, type, bytes }) => ({ name, type, hex: bytes.toString('hex') }))]))
      }
      assert.deepEqual(found, expectedOf(form.parts), `seed ${seed}`)
    }
  })

  it('differ from forms that were changed', () => {
    const { parts } = randomForm(2)
    assert.ok(parts.length > 0)
    assert.notDeepEqual(expectedOf(parts.slice(1)), expectedOf(parts))
  })
})
