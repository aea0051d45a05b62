'use strict'

// What each record of a loop takes: a client decides how many there are.

const assert = require('node:assert/strict')
const { createHook } = require('node:async_hooks')
const { jsonArray, ndjson } = require('../../')
const web = require('../../lib/web')

const RECORDS = 5000
const TYPES = { ndjson: 'application/x-ndjson', jsonArray: 'application/json' }
const lines = (record, mark) => Array.from({ length: RECORDS }, () => record).join(mark)
const bodyOf = (name, record) => name === 'ndjson' ? lines(record, '\n') : `[${lines(record, ',')}]`

/** Each reads the body, or what it is given in its place. */
const ENTRIES = {
  middleware: (name, options, body) => ({ ndjson, jsonArray })[name]({ ...options, buffered: true })
    .read({ headers: { 'content-type': TYPES[name], 'content-length': `${body.length}` }, body }, {}),
  '/web': (name, options, body) => web[name](options)(new Request('http://test',
    { method: 'POST', headers: { 'content-type': TYPES[name] }, body }))
}

const schemaOf = (validate) => ({ '~standard': { version: 1, vendor: 'test', validate } })
const schema = schemaOf((value) => ({ value }))
const refusing = schemaOf(() => ({ issues: [{ message: 'no' }] }))
const late = schemaOf(async (value) => ({ value }))
const reviver = (key, value) => value
const collect = { onError: 'collect', maxErrors: Infinity }

/** @returns {Promise<number>} promises that are made meanwhile */
async function countPromises (act) {
  let count = 0
  const hook = createHook({ init: (id, type) => { if (type === 'PROMISE') count++ } }).enable()
  try {
    await act()
    return count
  } finally {
    hook.disable()
  }
}

async function countItems (lists) {
  let count = 0
  for await (const list of lists) count += [list].flat(1).length
  return count
}

describe('a loop over records', () => {
  // [what, options, most promises for each record: in a loop, in batches]
  const rows = [
    ['nothing', {}, 2.1, 0.2],
    ['a schema that answers at once', { schema }, 2.1, 0.2],
    ['a reviver', { reviver }, 2.1, 0.2],
    ['a schema and a reviver', { reviver, schema }, 2.1, 0.2],
    ['errors that are collected', { ...collect, schema: refusing }, 2.2, 0.2],
    ['a schema that promises its answer', { schema: late }, 17, 8]
  ]
  it('makes no message of an error that nobody reads', async () => {
    let count = 0
    const issues = [{ get message () { return `no ${++count}` } }]
    const options = { ...collect, schema: schemaOf(() => ({ issues })) }
    for (const name of ['ndjson', 'jsonArray']) {
      count = 0
      let last
      for await (const { error } of await ENTRIES.middleware(name, options, bodyOf(name, '{}'))) last = error
      assert.equal(count, 0)
      assert.equal(last.message, 'request entity invalid: no 1')
    }
  })

  for (const name of ['ndjson', 'jsonArray']) {
    for (const [entry, read] of Object.entries(ENTRIES)) {
      for (const [what, options, mostOfEach, mostOfBatches] of rows) {
        it(`makes few promises for each record, with ${what}: ${name}, ${entry}`, async () => {
          const body = bodyOf(name, '{}')
          for (const [most, lists] of [[mostOfEach, (records) => records],
            [mostOfBatches, (records) => records.batches(100)]]) {
            const records = await read(name, options, body)
            let count
            const promises = await countPromises(async () => { count = await countItems(lists(records)) })
            assert.equal(count, RECORDS)
            assert.ok(promises <= RECORDS * most, `${promises / RECORDS} for each`)
          }
        })
      }
    }
  }
})
